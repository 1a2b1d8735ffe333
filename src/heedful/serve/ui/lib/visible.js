// Texts from outside, made safe to look at. The list of characters is that of show/kit/text/sanitise.py.

// Controls but for new lines and tabs, halves of pairs, what turns the direction of all that follows (a label could pass
// itself off as another), and what nobody sees. Joiners stay: scripts and emoji need them.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u115f\u1160\u17b4\u17b5\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** Text in which nothing is hidden: U+FFFD stands for each such character. @param {string} text */
export const visible = (text) => text.replaceAll("\r\n", "\n").replace(HIDDEN, "\ufffd");
