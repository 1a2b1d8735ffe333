"""The script and, roughly, the language of a text: enough to notice a row that differs from the others."""

from __future__ import annotations

import re
from collections import Counter

MOST = 2_000  # characters that are looked at
FEWEST = 4  # frequent words of a language that a text must have
NONE = ""

_SCRIPTS = {
    "Latin": "A-Za-z\u00aa-\u024f\u1e00-\u1eff",
    "Greek": "\u0370-\u03ff",
    "Cyrillic": "\u0400-\u052f",
    "Hebrew": "\u0590-\u05ff",
    "Arabic": "\u0600-\u06ff\u0750-\u077f",
    "Devanagari": "\u0900-\u097f",
    "Thai": "\u0e00-\u0e7f",
    "Kana": "\u3041-\u30ff",
    "Hangul": "\uac00-\ud7a3\u1100-\u11ff",
    "Han": "\u3400-\u4dbf\u4e00-\u9fff",
}
_PATTERNS = {name: re.compile(f"[{characters}]") for name, characters in _SCRIPTS.items()}
_WORD = re.compile(r"[^\W\d_]+")

# Frequent short words of languages in Latin script. Words of two languages count for both, and so for neither.
_WORDS = {
    "English": "a i in no me my do come over more were just been their was who she her us any than only into the and "
    "of to is it you that was for on are with as his they be at this have from or had by but not what we when your "
    "can there an which she how if will about out many then them these so some would like him has my i're do",
    "German": "der die und den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er "
    "hat dass sie nach wird bei einer um am sind noch wie einem über einen ich wir aber nur war haben oder mir mich "
    "kein",
    "French": "le la les des et est que une dans qui pour pas sur au plus par je il avec ce ne se vous nous mais sont "
    "cette elle être été fait ou aux leur du très tout comme c'est j'ai ont ils",
    "Spanish": "el la de que y los del se las por un para con no una su al es lo como más pero sus le ya o este sí "
    "porque esta entre cuando muy sin sobre ser tiene también me hasta hay donde quien fue son",
    "Italian": "il di che è e la per un una in non sono con si da come io questo ma le ho gli mi lo della nel del "
    "anche più ha alla dei ci molto tutto quando c'è essere",
    "Portuguese": "o de que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem "
    "à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso",
    "Dutch": "de het een en van ik te dat die in je is niet zijn op aan met voor was er maar om hem dan zou of wat "
    "mijn men dit zo door over ze zich bij ook tot heeft naar geen werd",
    "Polish": "i w nie na z do to się że jest o jak ale po co tak za od są już dla tylko był przez jego czy być jej "
    "oraz",
    "Turkish": "ve bir bu da de için ne çok mi ama ben daha gibi kadar var sonra olarak o en ile değil her şey beni",
}
_LANGUAGES = {name: frozenset(words.split()) for name, words in _WORDS.items()}
_ANY = frozenset().union(*_LANGUAGES.values())


def script_of(text: str) -> str:
    """Return the script of most letters of a text; "" if it has hardly any."""
    head = text[:MOST]
    if head.isascii():
        return "Latin" if _PATTERNS["Latin"].search(head) else NONE
    counts = {name: len(pattern.findall(head)) for name, pattern in _PATTERNS.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else NONE


def language_of(text: str) -> str:
    """Return the script of a text, or its language if it is in Latin script and has enough frequent words; else ""."""
    script = script_of(text)
    if script != "Latin":
        return "Japanese" if script == "Kana" else script
    words = [word for word in _WORD.findall(text[:MOST].lower()) if word in _ANY]
    if len(words) < FEWEST:
        return NONE
    counts = Counter({name: sum(word in known for word in words) for name, known in _LANGUAGES.items()})
    (best, most), (_, next_most) = counts.most_common(2)
    return best if most >= max(FEWEST, next_most + 3, 1.5 * next_most) else NONE
