// Words that take little room.

/** One line of at most so many letters. @param {string} text */
export function short(text, most = 24) {
  const letters = Array.from(text.split(/\s+/u).filter(Boolean).join(" "));
  return letters.length <= most ? letters.join("") : `${letters.slice(0, most - 1).join("")}…`;
}

/** The same in quotes. @param {string} text */
export const quoted = (text, most = 24) => `“${short(text, most)}”`;
