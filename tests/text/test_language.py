from __future__ import annotations

import pytest

from heedful.text.language import SAMPLE, looks_english

ENGLISH = """The parcel came on Monday, and it was not what we had asked for. I called them twice, but they said that
the order could not be changed any more. My sister had the same trouble with her order last year."""
TEXTS = {
    "German": """Das Paket kam am Montag, und es war nicht das, was wir bestellt hatten. Ich habe zweimal angerufen,
    aber man sagte mir, dass die Bestellung nicht mehr geändert werden kann. So will man an der Hand geführt werden.""",
    "French": """Le colis est arrivé lundi, et ce n'était pas ce que nous avions commandé. J'ai appelé deux fois, mais
    on m'a dit que la commande ne pouvait plus être modifiée. On a eu de la chance, car ils ont été très aimables.""",
    "Dutch": """Het pakket kwam maandag aan en het was niet wat we hadden besteld. Ik heb twee keer gebeld, maar ze
    zeiden dat de bestelling niet meer gewijzigd kon worden. Dat is jammer, want het was een mooi cadeau voor haar.""",
    "Spanish": """El paquete llegó el lunes y no era lo que habíamos pedido. Llamé dos veces, pero me dijeron que el
    pedido ya no se podía cambiar. No has visto la caja, me dijo mi hermana, y se fue con el perro a la calle.""",
    "Italian": """Il pacco è arrivato lunedì e non era quello che avevamo ordinato. Ho chiamato due volte, ma mi hanno
    detto che l'ordine non poteva più essere cambiato. Per fortuna sono stati molto gentili con me.""",
    "Chinese": "包裹星期一到了，但不是我们订的东西。我打了两次电话。",
    "Russian": "Посылка пришла в понедельник, и это было не то, что мы заказывали.",
    "numbers": "12 7 2021 3.5 €20",
    "empty": "",
    "signs": "!!! … ---",
}


def sentences(text: str) -> list[str]:
    return [part.strip() for part in text.split(".") if part.strip()]


def test_english_is_found():
    assert looks_english([ENGLISH])
    assert looks_english(sentences(ENGLISH))
    assert looks_english([ENGLISH.upper()])


@pytest.mark.parametrize("name", TEXTS)
def test_other_languages_and_no_language_are_not(name):
    assert not looks_english([TEXTS[name]])
    assert not looks_english([TEXTS[name]] * 50)


def test_no_texts_are_not_english():
    assert not looks_english([])
    assert not looks_english(["", " ", "\n"])


@pytest.mark.parametrize(
    "texts",
    [
        ["great phone", "not bad at all", "this is the worst", "it broke after a week", "love it", "was it worth it?"],
        ["when is the next train to boston", "play some music by queen", "what is the weather like"],
    ],
)
def test_short_english_texts_are_enough(texts):
    assert looks_english(texts)


def test_a_few_english_texts_among_others_change_nothing():
    assert not looks_english([TEXTS["French"]] * 9 + [ENGLISH])
    assert looks_english([ENGLISH] * 9 + [TEXTS["French"]])


def test_the_sample_is_taken_from_all_texts():
    """English at the head of a French corpus must not speak for all of it."""
    n = 4 * SAMPLE
    assert not looks_english([ENGLISH] * (n // 8) + [TEXTS["French"]] * (n - n // 8))
    assert looks_english([TEXTS["French"]] * (n // 8) + [ENGLISH] * (n - n // 8))
