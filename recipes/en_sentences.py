"""Varied English sentences from a grammar of our own: questions, scenes, opinions and headlines.

Unlabelled text for distilling a sentence-embedding teacher. Usage:
    python recipes/en_sentences.py WIKIPEDIA.txt.gz OUT.txt
"""

from __future__ import annotations

import gzip
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path


def _w(text: str) -> list[str]:
    """The comma-separated items of a block, in order, without repeats."""
    return list(dict.fromkeys(" ".join(x.split()) for x in text.split(",") if x.strip()))


def _lines(text: str) -> list[str]:
    """The lines of a block, without repeats."""
    return list(dict.fromkeys(x.strip() for x in text.splitlines() if x.strip()))


_AN = re.compile(r"\b([Aa]) (?=(?:[aeio]|u(?!ni[^nmd]|se|su|ti|kul|r[ai]n)|hour|honest|heir|8|11\b|18\b))", re.I)
_NOT_AN = re.compile(r"\b([Aa])n (?=(?:one\b|once\b|eu|u\.s|us\b|uk\b|un\b|unit|univ|ufo))", re.I)
_ALT = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")


def _articles(text: str) -> str:
    """Put "an" before vowels."""
    return _NOT_AN.sub(r"\1 ", _AN.sub(r"\1n ", text))


def _fill(rng: random.Random, template: str, lexicon: Mapping[str, Sequence[str]]) -> str:
    """Expand [a|b] choices and {slots}; the same slot twice gives two different words."""
    used: set[str] = set()

    def slot(match: re.Match[str]) -> str:
        words = lexicon[match.group(1)]
        word = rng.choice(words)
        for _ in range(5):
            if word not in used:
                break
            word = rng.choice(words)
        used.add(word)
        return word

    text = template
    for _ in range(4):
        new = _ALT.sub(lambda m: rng.choice(m.group(1).split("|")), text)
        new = _SLOT.sub(slot, new)
        if new == text:
            break
        text = new
    return re.sub(r"\s+", " ", _articles(text)).strip()


def _cap(text: str) -> str:
    return text[:1].upper() + text[1:]


def _collect(n: int, make: Callable[[], Sequence[str]], seen: set[str] | None = None) -> list[str]:
    """Call make until n different sentences have come (or it runs dry)."""
    seen = set() if seen is None else seen
    out: list[str] = []
    for _ in range(n * 20):
        if len(out) >= n:
            break
        for text in make():
            if text not in seen:
                seen.add(text)
                out.append(text)
    return out[:n]


def _tokenised(text: str) -> str:
    """Lower-case with punctuation set apart."""
    return re.sub(r"\s+", " ", re.sub(r"([,.;:!?])(?!\d)", r" \1 ", text.lower()).replace("n't", " n't")).strip()


# ---------------------------------------------------------------------------------------------- shared word lists

COUNTRY = _w("""Afghanistan, Albania, Algeria, Angola, Argentina, Armenia, Australia, Austria, Azerbaijan, Bangladesh,
Belarus, Belgium, Bolivia, Bosnia, Botswana, Brazil, Bulgaria, Cambodia, Cameroon, Canada, Chad, Chile, China,
Colombia,
Congo, Croatia, Cuba, Cyprus, Denmark, Ecuador, Egypt, Estonia, Ethiopia, Finland, France, Georgia, Germany, Ghana,
Greece, Guatemala, Haiti, Honduras, Hungary, Iceland, India, Indonesia, Iran, Iraq, Ireland, Israel, Italy, Jamaica,
Japan, Jordan, Kazakhstan, Kenya, Kuwait, Laos, Latvia, Lebanon, Libya, Lithuania, Madagascar, Malaysia, Mali, Malta,
Mexico, Mongolia, Morocco, Mozambique, Myanmar, Namibia, Nepal, New Zealand, Nicaragua, Niger, Nigeria, North Korea,
Norway, Oman, Pakistan, Panama, Paraguay, Peru, Poland, Portugal, Qatar, Romania, Russia, Rwanda, Saudi Arabia,
Senegal,
Serbia, Sierra Leone, Singapore, Slovakia, Slovenia, Somalia, South Africa, South Korea, Spain, Sri Lanka, Sudan,
Sweden, Switzerland, Syria, Taiwan, Tanzania, Thailand, Tunisia, Turkey, Uganda, Ukraine, Uruguay, Uzbekistan,
Venezuela, Vietnam, Yemen, Zambia, Zimbabwe""")
CITY = _w("""Accra, Amsterdam, Ankara, Athens, Atlanta, Auckland, Baghdad, Baltimore, Bangkok, Barcelona, Beijing,
Beirut,
Belfast, Belgrade, Berlin, Bogota, Boston, Brasilia, Brussels, Bucharest, Budapest, Buenos Aires, Cairo, Calgary,
Cape Town, Caracas, Casablanca, Chennai, Chicago, Cleveland, Cologne, Copenhagen, Dakar, Dallas, Damascus, Delhi,
Denver, Detroit, Dhaka, Dubai, Dublin, Edinburgh, Florence, Frankfurt, Geneva, Glasgow, Hamburg, Hanoi, Havana,
Helsinki, Hong Kong, Honolulu, Houston, Istanbul, Jakarta, Jerusalem, Johannesburg, Kabul, Karachi, Kiev, Kingston,
Kolkata, Krakow, Kuala Lumpur, Lagos, Lahore, Lima, Lisbon, Liverpool, London, Los Angeles, Lyon, Madrid, Manchester,
Manila, Marseille, Melbourne, Memphis, Mexico City, Miami, Milan, Minneapolis, Montreal, Moscow, Mumbai, Munich,
Nairobi, Naples, New Orleans, New York, Nice, Osaka, Oslo, Ottawa, Paris, Perth, Philadelphia, Phoenix, Pittsburgh,
Portland, Prague, Quebec, Quito, Reykjavik, Riga, Rio de Janeiro, Rome, Rotterdam, San Diego, San Francisco, Santiago,
Seattle, Seoul, Seville, Shanghai, Sofia, Stockholm, Sydney, Taipei, Tallinn, Tehran, Tel Aviv, Tokyo, Toronto,
Tripoli,
Tunis, Turin, Valencia, Vancouver, Venice, Vienna, Vilnius, Warsaw, Washington, Wellington, Zagreb, Zurich""")
NATION = _w("""Afghan, American, Argentine, Australian, Austrian, Belgian, Brazilian, British, Canadian, Chilean,
Chinese,
Colombian, Croatian, Cuban, Czech, Danish, Dutch, Egyptian, Ethiopian, Filipino, Finnish, French, German, Greek,
Hungarian, Icelandic, Indian, Indonesian, Iranian, Iraqi, Irish, Israeli, Italian, Japanese, Kenyan, Korean, Lebanese,
Malaysian, Mexican, Moroccan, Nigerian, Norwegian, Pakistani, Peruvian, Polish, Portuguese, Romanian, Russian, Saudi,
Scottish, Serbian, Spanish, Swedish, Swiss, Syrian, Thai, Turkish, Ukrainian, Vietnamese, Welsh""")
ANIMAL = _w("""alligator, ant, antelope, armadillo, badger, bat, bear, beaver, bee, beetle, bison, buffalo, butterfly,
camel, cat, caterpillar, cheetah, chicken, chimpanzee, cobra, cow, coyote, crab, crane, cricket, crocodile, crow,
dolphin, donkey, dragonfly, duck, eagle, eel, elephant, falcon, ferret, firefly, flamingo, fox, frog, gazelle, gecko,
giraffe, goat, goose, gorilla, grasshopper, guinea pig, hamster, hawk, hedgehog, hippopotamus, horse, hummingbird,
hyena, iguana, jaguar, jellyfish, kangaroo, koala, leopard, lion, lizard, llama, lobster, mole, monkey, mosquito, moth,
mouse, octopus, opossum, orangutan, ostrich, otter, owl, panda, parrot, peacock, pelican, penguin, pigeon, platypus,
polar bear, porcupine, rabbit, raccoon, rat, rattlesnake, raven, rhinoceros, robin, salamander, scorpion, sea lion,
seahorse, seal, shark, skunk, sloth, snail, spider, sponge, squid, squirrel, starfish, stork, swan, tarantula, tiger,
toad, tortoise, toucan, turkey, turtle, vulture, walrus, wasp, weasel, whale, wolf, wombat, woodpecker, worm, yak,
zebra""")
FOOD = _w("""apple pie, bacon, bagels, baked beans, balsamic vinegar, banana bread, basil, bread, brown rice, butter,
buttermilk, cabbage, caramel, caviar, cheddar cheese, cheese, chicken soup, chili, chocolate, chocolate cake, chutney,
cinnamon, coconut milk, coffee, cornbread, couscous, cream cheese, curry, custard, dark chocolate, espresso, fish stew,
french toast, fried rice, fudge, garlic bread, gelato, ginger, gravy, green tea, grilled salmon, guacamole, gumbo, ham,
honey, hummus, ice cream, jam, kale, ketchup, kimchi, lamb, lasagna, lemonade, lentil soup, maple syrup, marmalade,
mashed potatoes, mayonnaise, milk, miso soup, mozzarella, mustard, naan, oatmeal, olive oil, onion soup, orange juice,
paella, pancakes, parmesan, pasta, peanut butter, pesto, pickles, pizza, polenta, popcorn, pork, pudding, quinoa,
ramen,
red wine, rice, risotto, roast beef, saffron, salad dressing, salsa, sauerkraut, scrambled eggs, shrimp, sour cream,
sourdough bread, soy sauce, spaghetti, spinach, steak, strawberry jam, sugar, sushi, sweet potatoes, tea, tofu, tomato
sauce, tortillas, tuna, turkey, vanilla, vinegar, waffles, white wine, yeast, yogurt""")
INVENTION = _w("""the airplane, the air conditioner, the assembly line, the ballpoint pen, the barometer, the battery,
the bicycle, the camera, the can opener, the compass, the computer mouse, the contact lens, the cotton gin, the diesel
engine, the dishwasher, the electric guitar, the electric motor, the elevator, the fax machine, the flush toilet, the
fountain pen, the helicopter, the hot air balloon, the internal combustion engine, the jet engine, the laser, the lawn
mower, the light bulb, the lightning rod, the magnetic tape, the match, the mechanical clock, the microphone, the
microscope, the microwave oven, the motorcycle, the parachute, the pencil, the pendulum clock, the personal computer,
the phonograph, the photocopier, the piano, the pocket calculator, the printing press, the radio, the razor, the
refrigerator, the revolver, the rubber band, the safety pin, the saxophone, the sewing machine, the slide rule, the
smoke detector, the steam engine, the stethoscope, the submarine, the sundial, the telegraph, the telephone, the
telescope, the television, the thermometer, the thermostat, the toaster, the toothbrush, the traffic light, the
transistor, the typewriter, the umbrella, the vacuum cleaner, the washing machine, the water wheel, the wheelchair, the
windmill, the X-ray machine, the zipper""")
DISEASE = _w("""acne, AIDS, allergies, Alzheimer's disease, anemia, anxiety, appendicitis, arthritis, asthma, back
pain,
bronchitis, cancer, chickenpox, cholera, the common cold, Crohn's disease, dehydration, dengue fever, depression,
diabetes, diphtheria, eczema, epilepsy, food poisoning, frostbite, gallstones, glaucoma, gout, hay fever, headaches,
heart disease, heartburn, heatstroke, hepatitis, hiccups, high blood pressure, hypothermia, influenza, insomnia,
jaundice, kidney stones, lactose intolerance, leukemia, Lyme disease, malaria, measles, meningitis, migraines,
multiple sclerosis, mumps, muscle cramps, obesity, osteoporosis, Parkinson's disease, plague, pneumonia, polio, rabies,
scurvy, seasickness, shingles, sinusitis, sleep apnea, smallpox, sore throat, stroke, sunburn, tetanus, tinnitus,
tonsillitis, toothache, tuberculosis, typhoid fever, ulcers, vertigo, whooping cough, yellow fever""")
SPORT = _w("""archery, badminton, baseball, basketball, biathlon, bowling, boxing, canoeing, cricket, croquet, curling,
cycling, darts, fencing, field hockey, figure skating, golf, gymnastics, handball, ice hockey, judo, karate, lacrosse,
netball, polo, rowing, rugby, sailing, skiing, snooker, snowboarding, soccer, softball, squash, sumo wrestling,
surfing,
swimming, table tennis, tennis, triathlon, volleyball, water polo, weightlifting, wrestling""")
COMPANY = _w("""Adidas, Airbus, Amazon, Apple, BMW, Boeing, Canon, Cisco, Coca-Cola, Dell, Disney, Ericsson,
ExxonMobil,
FedEx, Fiat, Ford, General Electric, General Motors, Google, Heineken, Hewlett-Packard, Hitachi, Honda, HSBC, Hyundai,
IBM, IKEA, Intel, Kodak, Lego, Lufthansa, Marriott, McDonald's, Microsoft, Mitsubishi, Motorola, Nestle, Netflix, Nike,
Nintendo, Nissan, Nokia, Novartis, Oracle, Panasonic, PepsiCo, Pfizer, Philips, Procter & Gamble, Renault,
Rolls-Royce, Ryanair, Samsung, Sears, Shell, Siemens, Sony, Starbucks, Tesla, Texas Instruments, Toshiba, Toyota,
Unilever, Volkswagen, Volvo, Walmart, Xerox, Yahoo""")
ABBR = _w("""AIDS, AM, ASCII, ATM, BBC, BIOS, CAD, CEO, CIA, CNN, CPR, CPU, DNA, DVD, EU, FAQ, FBI, FIFA, FM, GDP, GIF,
GMT, GNP, GPS, HTML, HTTP, IMF, IQ, IRA, ISBN, ISO, JPEG, KGB, LASER, LCD, LED, MBA, MIT, MRI, NAFTA, NASA, NATO, NBA,
NFL, NHL, OPEC, PC, PDF, PDA, PIN, PTA, RAM, RADAR, RNA, ROM, RPM, RSVP, SAT, SCUBA, SIM, SMS, SOS, SPF, SUV, SWAT,
TNT,
UFO, UN, UNESCO, UNICEF, UPS, URL, USB, UV, VAT, VCR, VIP, WHO, WTO, WWF, XML, YMCA, ZIP""")
LANGUAGE = _w("""Afrikaans, Albanian, Arabic, Armenian, Basque, Bengali, Bulgarian, Catalan, Chinese, Czech, Danish,
Dutch, English, Esperanto, Estonian, Finnish, French, German, Greek, Hawaiian, Hebrew, Hindi, Hungarian, Icelandic,
Indonesian, Irish, Italian, Japanese, Korean, Latin, Latvian, Malay, Mandarin, Norwegian, Persian, Polish, Portuguese,
Romanian, Russian, Sanskrit, Serbian, Spanish, Swahili, Swedish, Tagalog, Tamil, Thai, Turkish, Ukrainian, Urdu,
Vietnamese, Welsh, Yiddish, Zulu""")
NUMBER = _w("""two, three, four, five, six, seven, eight, nine, ten, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
22, 23,
24, 25, 27, 28, 30, 32, 34, 35, 36, 38, 40, 42, 45, 47, 50, 53, 58, 60, 64, 70, 75, 80, 90, 100, 120, 150, 200, 250""")
MONTH = _w("""January, February, March, April, May, June, July, August, September, October, November, December""")
DAY = _w("""Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday""")
COLOR = _w("""black, white, red, blue, green, yellow, orange, purple, pink, brown, gray, beige, dark blue, light blue,
dark green, bright red, bright yellow, turquoise, silver, maroon""")
FIRST = _w("""Aaron, Adam, Alice, Amelia, Amir, Andrea, Anna, Anton, Beatrice, Ben, Carla, Carlos, Carol, Chen, Clara,
Daniel, David, Diana, Elena, Emil, Emma, Erik, Farah, Felix, Fiona, Frank, George, Grace, Hannah, Harold, Helen, Hugo,
Ian, Ingrid, Isabel, Ivan, Jack, James, Jane, Jorge, Julia, Karen, Karl, Kenji, Laura, Leo, Linda, Lucas, Maria,
Martin,
Maya, Michael, Mina, Nadia, Nina, Nora, Oliver, Omar, Patrick, Paul, Peter, Priya, Rachel, Raj, Robert, Rosa, Ruth,
Sam,
Sara, Simon, Sofia, Stefan, Susan, Thomas, Tom, Vera, Victor, Walter, Wei, Yuki, Zoe""")
LAST = _w("""Abbott, Adams, Alvarez, Andersen, Baker, Barnes, Becker, Bennett, Bianchi, Brooks, Campbell, Carter,
Castro,
Chandra, Clark, Cohen, Collins, Cooper, Costa, Cruz, Dawson, Diaz, Dubois, Edwards, Eriksson, Evans, Fischer, Foster,
Garcia, Gibson, Gomez, Graham, Hall, Hansen, Harris, Hayes, Hughes, Ito, Ivanov, Jackson, Jensen, Johnson, Jones, Kaya,
Keller, Kelly, Khan, Kim, Klein, Kowalski, Lambert, Lee, Lewis, Lopez, Marino, Martin, Meyer, Miller, Moore, Moreau,
Morgan, Murphy, Nakamura, Nelson, Nguyen, Novak, Olsen, Ortiz, Parker, Patel, Perez, Petrov, Popov, Quinn, Reed, Reyes,
Roberts, Rossi, Russell, Sato, Schmidt, Scott, Shah, Silva, Singh, Smith, Stewart, Tanaka, Taylor, Torres, Turner,
Vargas, Vogel, Walker, Wang, Weber, White, Wilson, Wright, Yilmaz, Young, Zhang""")

# ------------------------------------------------------------------------------------------------------ questions

_CORE = r"[A-Z][\w'’.&-]*(?: (?:[A-Z][\w'’.&-]*|of|the|de|von|van|and|for|in|la|du|del|\d+)){0,4}"
_SUBJ = rf"((?:The )?(?:{_CORE}|[a-z][\w-]+(?: [a-z][\w-]+)?))"
_PAREN = r"(?:,? \([^)]*\),?)?"
_BANNED = set(
    _w("""He, She, It, This, That, These, Those, There, They, Its, His, Her, Their, In, On, At, One, Some, Many,
        Another,
Each, Both, All, Most, Such, What, When, While, If, As, But, And, Also, However, We, You, I, Who, Which, Where,
For, From,
By, To, After, Before, During, Since, Because, Although, Other, Others, Several, Two, Three, Four, Five, Here, First,
Second, Third, Then, Thus, Today, Not, No, Among, Only, An, A, Our, My, Your, Of, With, Under, Every, Much, So, Even,
Like, Part, Following, More, Later, Early, Nothing, Everything, Someone, Currently, Now, Finally, Once, Year, Neither,
Either, Unlike, Despite, Between, Through, Until, Yet, Perhaps, Note, Examples, Example, Any, Few, None, Included, How,
Why, Next, Last, Former, Latter, Same, Over, Within, Without, Except, Along, Although, Instead, Prior, Due,
Initially""")
)
_GENERIC = set(
    _w("""the first, the second, the third, the other, the latter, the former, the result, the main, the most, the
        only,
the same, the following, the book, the film, the city, the town, the country, the series, the game, the song, the
album,
the name, the term, the word, the village, the company, the band, the area, the region, the island, the group, the
team,
the show, the story, the novel, the movie, the character, the school, the university, the church, the building, the
language, the majority, the rest, the number, the population, the people, the idea, the question, the problem, the
party, the state, the river, the system, the process, the effect, the original, the new, the old, the next, the last,
the best, the largest, the earliest, the reason, the answer, the house, the program, the club, the site, the species,
the county, the district, the province, the province of, the family, the couple, the case, the project, the title, the
day, the event, the war, the battle, the plot, the two, the three, the law, the court, the term, the bridge, the
capital, the player, the king, the station, the road, the cast, the work, the play, the election, the season, the
final,
the genus, the tower, the line, the park, the plan, the paper, the article, the text, the author, the museum, the
castle
""")
)
_PERSON = set(
    _w("""actor, actress, politician, player, writer, singer, king, queen, poet, author, novelist, composer, painter,
artist, footballer, musician, director, producer, scientist, physicist, chemist, mathematician, philosopher, historian,
lawyer, judge, engineer, architect, journalist, general, emperor, president, prime minister, explorer, astronaut,
driver,
bishop, pope, saint, economist, inventor, dancer, comedian, model, soldier, officer, sculptor, theologian, activist,
photographer, wrestler, boxer, swimmer, guitarist, drummer, pianist, songwriter, rapper, coach, manager, businessman,
entrepreneur, astronomer, biologist, psychologist, physician, surgeon, diplomat, nobleman, duke, prince, princess,
cricketer, skier, golfer, racer, cyclist, athlete, screenwriter, playwright, critic, biographer, linguist, monk,
priest,
statesman, leader, revolutionary, pirate, naturalist, botanist, geologist, aviator, teacher, professor, son, daughter,
brother, sister, man, woman, member""")
)
_PAST = {
    "written": "wrote",
    "won": "won",
    "led": "led",
    "sung": "sang",
    "drawn": "drew",
    "given": "gave",
    "sold": "sold",
}
_DONE = "|".join(
    _w("""founded, built, written, directed, produced, discovered, invented, designed, created, published, developed,
painted, composed, established, introduced, named, led, won, owned, killed, recorded, released, operated, conquered,
destroyed, elected, commissioned, defeated, edited, translated, performed, proposed, described, influenced, governed,
used, organized, supported, attacked, occupied, captured, replaced, succeeded, bought, acquired, drawn, sold,
hosted""")
)
_RE_BORN = re.compile(rf"^{_SUBJ}{_PAREN} was born (?:in|on|at) ")
_RE_IS = re.compile(rf"^{_SUBJ}{_PAREN} (is|was|are|were) (an?|the|one of the) ([^.,;(]+)")
_RE_BY = re.compile(rf"^{_SUBJ}{_PAREN} (is|was|were|are) (?:\w+ly )?(?:first )?({_DONE}) (?:in \d+ )?by ")
_RE_LOC = re.compile(rf"^{_SUBJ}{_PAREN} (is|was) (?:a [\w ]+ )?(?:located|situated) ")
_RE_YEAR = re.compile(
    rf"^{_SUBJ}{_PAREN} was (?:\w+ly )?(?:first )?"
    r"(founded|built|released|opened|established|published|completed|created|formed|introduced|abolished|"
    r"destroyed|launched|discovered|invented|constructed|signed|discontinued|elected|killed|arrested|married)"
    r"\b.* (?:in|on) "
)
_RE_VERB = re.compile(
    rf"^{_SUBJ}{_PAREN} (consists? of|died|moved to|won|wrote|invented|discovered|founded|contains?|includes?|borders|"
    r"opened in|began|ended|studied|married|became|lived|has a population|refers? to|means?|causes?|played|joined|"
    r"is known (?:for|as)|was known (?:for|as)|is famous for|is the capital of|is used|are used|was used|is made)\b"
)


def _subject(text: str, lower: Mapping[str, int]) -> str | None:
    """A usable short noun phrase as it stands inside a sentence, or None."""
    words = text.split()
    if not words or len(words) > 5 or words[0] in _BANNED or words[-1] in {"of", "the", "and", "for", "in", "de", "la"}:
        return None
    if words[0] == "The":
        out = "the " + " ".join(words[1:])
        return None if len(words) < 2 or out in _GENERIC or len(words) > 4 else out
    first = words[0]
    if words[-1][:1].islower() and not words[-1].isdigit() and len(words) > 1:
        if lower[first.lower()] < 3:
            return None
        return first.lower() + " " + " ".join(words[1:])
    if len(words) == 1 and first[1:].islower() and lower[first.lower()] >= 4:
        return first.lower()
    if "and" in words:
        return None
    return text if len(text) > 2 else None


def _rewrite(sentence: str, lower: Mapping[str, int]) -> list[str]:
    """Questions which a Wikipedia sentence answers."""
    out: list[str] = []

    def subj(match: re.Match[str] | None) -> str | None:
        return None if match is None else _subject(match.group(1), lower)

    if (x := subj(_RE_BORN.match(sentence))) is not None:
        out += [
            f"When was {x} born?",
            f"Where was {x} born?",
            f"What year was {x} born in?",
            f"What city was {x} born in?",
        ]
        out += [f"Where did {x} come from?", f"How old is {x}?"]
    m = _RE_IS.match(sentence)
    if m and (x := subj(m)) is not None:
        be, rest = m.group(2), m.group(4)
        head = re.split(
            r" (?:of|in|that|which|who|where|from|for|by|on|with|at|used|and|or|to|located|between|as)\b", rest
        )[0]
        nouns = head.split()
        personal = any(w in _PERSON or re.search(r"(ist|ician|ologer|grapher|onent)$", w) for w in nouns[-2:])
        odd = not nouns or bool(
            re.search(
                r"(al|ic|ed|ive|ous|ly)$|^(number|name|one|played|set|subject|most|type|kind|category|form|part|re-design)$",
                nouns[-1],
            )
        )
        if nouns and personal and x[0].isupper():
            out += [f"Who {be} {x}?", f"What {'is' if be == 'is' else 'was'} {x} known for?"]
            out += [f"What {'does' if be == 'is' else 'did'} {x} do for a living?", f"What nationality {be} {x}?"]
            out += [f"Why {be} {x} famous?", f"{_cap(be)} {x} a {nouns[-1]}?"][: 2 if "member" not in nouns else 1]
        elif not personal and not odd:
            out += [f"What {be} {x}?", f"What {be} {x}?"]
            if m.group(3) in {"a", "an"} and 0 < len(nouns) <= 3 and be in {"is", "was"}:
                out += [f"What kind of {nouns[-1]} {be} {x}?", f"What type of {nouns[-1]} {be} {x}?"]
                out += [f"{_cap(be)} {x} a {' '.join(nouns)}?"]
            if m.group(3) == "the" and " of " in rest and len(rest.split()) <= 6:
                out += [f"What {be} the {rest}?"]
            if be == "is":
                asks = (f"Can you explain what {x} is?", f"Define {x}.", f"What do you know about {x}?", "", "", "", "")
                out += [a for a in (asks[len(sentence) % 7],) if a]
    m = _RE_BY.match(sentence)
    if m and (x := subj(m)) is not None:
        done = m.group(3)
        out += [
            f"Who {_PAST.get(done, done)} {x}?",
            f"Who {m.group(2)} {x} {done} by?",
            f"By whom {m.group(2)} {x} {done}?",
        ]
    m = _RE_LOC.match(sentence)
    if m and (x := subj(m)) is not None:
        out += [f"Where is {x}?", f"Where is {x} located?", f"What country is {x} in?", f"How do I get to {x}?"]
        out += [f"In which city can {x} be found?"]
    m = _RE_YEAR.match(sentence)
    if m and (x := subj(m)) is not None:
        v = m.group(2)
        out += [
            f"When was {x} {v}?",
            f"What year was {x} {v}?",
            f"In what year was {x} {v}?",
            f"How long ago was {x} {v}?",
        ]
        if v in {"built", "opened", "constructed", "completed"}:
            out += [f"How old is {x}?", f"When did {x} open?"]
    m = _RE_VERB.match(sentence)
    if m and (x := subj(m)) is not None:
        v = m.group(2)
        table = {
            "consist": ["What does {x} consist of?", "How many parts does {x} have?"],
            "died": ["When did {x} die?", "How did {x} die?", "Where did {x} die?", "What did {x} die of?"],
            "moved": ["Where did {x} move to?", "Why did {x} move?"],
            "won": ["What did {x} win?", "When did {x} win?", "How many awards did {x} win?"],
            "wrote": ["What did {x} write?", "Which books did {x} write?"],
            "invented": ["What did {x} invent?"],
            "discovered": ["What did {x} discover?"],
            "founded": ["What did {x} found?"],
            "contain": ["What does {x} contain?", "What is in {x}?"],
            "include": ["What does {x} include?"],
            "borders": ["Which countries border {x}?", "What borders {x}?"],
            "opened": ["When did {x} open?", "What year did {x} open?"],
            "began": ["When did {x} begin?", "How did {x} start?"],
            "ended": ["When did {x} end?", "Why did {x} end?"],
            "studied": ["What did {x} study?", "Where did {x} go to school?"],
            "married": ["Who did {x} marry?", "When did {x} get married?"],
            "became": ["What did {x} become?"],
            "lived": ["Where did {x} live?", "How long did {x} live?"],
            "has a pop": ["What is the population of {x}?", "How many people live in {x}?"],
            "refer": ["What does {x} refer to?", "What does the term {x} mean?"],
            "mean": ["What does {x} mean?", "What is the meaning of {x}?"],
            "cause": ["What does {x} cause?"],
            "played": ["What team did {x} play for?", "What role did {x} play?"],
            "joined": ["When did {x} join?", "What group did {x} join?"],
            "is known": ["What is {x} known for?", "What is another name for {x}?"],
            "was known": ["What was {x} known for?", "What was the nickname of {x}?"],
            "is famous": ["What is {x} famous for?", "Why is {x} famous?"],
            "is the cap": ["What is {x} the capital of?"],
            "is used": ["What is {x} used for?", "How is {x} used?"],
            "are used": ["What are {x} used for?", "How are {x} used?"],
            "was used": ["What was {x} used for?"],
            "is made": ["What is {x} made of?", "How is {x} made?"],
        }
        for key, questions_ in table.items():
            if v.startswith(key):
                plural = not v.endswith("s") and key in {"consist", "contain", "include", "refer", "mean", "cause"}
                for q in questions_:
                    out.append((q.replace(" does ", " do ") if plural else q).replace("{x}", x))
                break
    return [_articles(q) for q in out]


QUESTIONS = _lines("""
What is {term}?
What is {term} and how does it work?
What is the definition of {term}?
What does the word "{noun}" mean?
What does "{noun}" mean in {language}?
[What is|What's] [a|the purpose of a|the definition of a] {noun}?
What is the difference between a {noun} and a {noun}?
What is the origin of the word {noun}?
What is the plural of {noun}?
What do you call a group of {animals}?
What do you call a baby {animal}?
What do you call someone who [collects stamps|studies insects|fears heights|makes barrels|repairs shoes|studies rocks]?
What is another word for {noun}?
What is the {language} word for {noun}?
How do you say {noun} in {language}?
How do you [say|spell] "{greet}" in {language}?
What is the opposite of {adj}?
What word rhymes with {noun}?
What [does|do the letters] {abbr} stand for?
What does the abbreviation {abbr} mean?
What is {abbr} short for?
What is the full form of {abbr}?
What is the abbreviation for {unitname}?
What does {company} [make|sell|do|manufacture]?
Who [founded|started|owns|runs|created] {company}?
Who is the [CEO|chairman|founder|president] of {company}?
Where [is|are] the headquarters of {company}?
How many employees does {company} have?
How much [money|profit] did {company} make in {year}?
When [was {company} founded|did {company} go public]?
Why did {company} [lose|raise|close|cut|move] [so much money|its prices|its factory in {country}|thousands of jobs]?
Who invented {invention}?
When was {invention} invented?
Where was {invention} invented?
How does {invention} work?
[What country|Which country] was {invention} first made in?
Who holds the patent on {invention}?
How did {invention} change everyday life?
Who was the first [man|woman|person|American|European] to {feat}?
When did the first [man|woman|person] {feat}?
Who is {person}?
Who was {person}?
Why is {person} [famous|important|remembered]?
What did {person} do?
Where is {person} from?
Where was {person} buried?
How old was {person} when [he|she] died?
What was the name of {person}'s [wife|husband|father|mother|first book|band|dog|ship]?
What is the real name of {person}?
What was {person}'s nickname?
Who [was married to|taught|succeeded|was influenced by|wrote a biography of|discovered] {person}?
When did {person} die?
How did {person} become [famous|rich|a leader]?
What awards did {person} win?
Did {person} ever [visit {place}|meet {person}|marry|live in {city}|win an award|have children]?
Who wrote [the book |the novel |]{work}?
Who directed [the film |]{work}?
Who [starred in|composed the music for|produced] {work}?
What is {work} about?
When was {work} [released|published|first shown|written]?
Which actor played the [lead|villain|hero|detective|king] in {work}?
Is {work} based on a true story?
Who sang the song {work}?
What is the {superlative} {geo} in [the world|{country}|{continent}]?
Where is the {superlative} {geo} in {continent}?
Name the {superlative} {geo} in {country}.
What is the capital of {country}?
What is the {superlative} city in {country}?
What is the population of {place}?
What is the [currency|official language|national anthem|national flower|climate|main religion|time zone] of {country}?
What languages are spoken in {country}?
What [country|continent|state|province] is {city} in?
What river [runs|flows] through {city}?
What ocean [lies|is] [east|west|south|north] of {country}?
Which countries [border|surround] {country}?
What is the [best time of year|cheapest way|fastest way|safest way] to [visit|travel to|get to] {place}?
What is {place} [famous|best known|noted] for?
What are the colors of the flag of {country}?
What is the area code for {city}?
Where is {place}?
Where is {entity}?
Where can I find [a map|a picture|a list|a history] of {place}?
Where can I [buy|get|find|order] [good |fresh |cheap |]{food}?
Where do {animals} [live|sleep|lay their eggs|spend the winter|come from]?
Where does {food} come from?
Where did {sport} originate?
Where were the [Olympic Games|World Cup finals|peace talks|first elections] held in {year}?
In which [country|city|century|war|museum] [is|was] {entity}?
From which country does {food} come?
How many people [live in|visit|emigrate to|were born in] {place} [every year|each year|]?
How many [players|referees|points|periods|substitutes] are there in a [game|match] of {ballsport}?
How many {unit} are there in a {unit1}?
How many [legs|teeth|bones|hearts|eyes|stomachs] does a {animal} have?
How many calories are [there |]in [a serving of |]{food}?
How many [states|islands|lakes|provinces|airports|official languages] does {country} have?
How many [people|soldiers|civilians] [died|were wounded|were captured] in the {event}?
How many times has {country} [won the World Cup|hosted the Olympics|changed its constitution|been invaded]?
How many {plural} are there in {place}?
How many books did {person} write?
How many [days|weeks|hours|years] does it take to {longtask}?
How much does a {noun} [cost|weigh]?
How much does [a|an adult|a newborn] {animal} weigh?
How much does it cost to [rent|buy|build|insure|repair] a {object}?
How much [water|sleep|exercise|protein|vitamin C] does a [{animal}|person|child|teenager] need [every day|]?
How much [salt|sugar|fat|protein|caffeine] is in {food}?
How much money does a {job} [make|earn] [in {country}|a year|per hour]?
How much did {country} pay for {entity}?
How far is [it from |]{city} [from|to] {city}?
How far is {planet} from [the sun|the earth]?
How far can a {animal} [see|travel in a day|jump]?
How long is the {geo2} [in {country}|]?
How long does a {animal} live?
How long does it take to {longtask}?
How long did the {event} last?
How long can {food} be kept in the [fridge|freezer]?
How long has {person} been [in office|married|dead]?
How tall is {tall}?
How tall [is|was] {person}?
How high is [{tall}|the highest mountain in {country}]?
How deep is the [deepest lake in {country}|Atlantic|Mediterranean|ocean near {country}]?
How big is {place}?
How [big|fast|heavy|tall|intelligent] [is|can] a {animal}[| compared with a {animal}]?
How fast [can a {animal} run|does light travel|does sound travel in water|can a {animal} swim]?
How hot [is the center of the earth|does it get in {country}|is {planet}]?
How cold does it get in {place} in [winter|January]?
How often [should I|do you have to|should one] {chore}?
How old is [the universe|the earth|{place}|{entity}]?
What percentage of [people|women|children|adults|voters] in {country} [can read|own a car|smoke|live in cities]?
What percentage of the [human body|atmosphere|earth's surface|ocean|federal budget] is \
[water|nitrogen|land|salt|defense]?
What fraction of {plural} are made in {country}?
What is the average [age|salary|rainfall|temperature|life expectancy|rent|income] [in {place}|of a {job} in {country}]?
What is the [speed|weight|size|life span|top speed] of a {animal}?
What is the [boiling|melting|freezing] point of [water|gold|iron|alcohol|mercury|lead|copper|salt water]?
What is the [atomic number|chemical symbol|atomic weight] [of|for] {element}?
What is the square root of {int}?
What is {int} [times|plus|minus|divided by] {int}?
What is the exchange rate between the dollar and the [euro|yen|pound|peso|rupee|franc]?
What is the [price|value|cost] of [gold|oil|a house in {city}|a barrel of oil|a 19th century stamp|a train ticket \
to {city}]?
What date did [the {event} begin|{person} arrive in {place}|{country} become independent]?
What day of the week was {month} {daynum} {year}?
What year did {country} [become independent|join the United Nations|adopt its constitution|abolish slavery]?
What year did the {event} [start|end]?
What time [is it|does the sun set] in {city}?
What happened [in {place} |]in {year}?
What happened on {month} {daynum} {year}?
When is [Mother's Day|Independence Day|the rainy season|Easter|New Year's Day] in {country}?
When did {country} [win|lose|enter] [the war|its independence|its first World Cup|the European Union]?
When did the {event} [begin|end|start|take place]?
When [do|did] {animals} [first appear|mate|migrate|hibernate]?
When was [the first {noun} made|{entity} discovered|{place} founded|the {event}]?
When does the next [train|bus|ferry|flight] to {city} leave?
Since when has {country} been [a republic|independent|a member of NATO|a democracy]?
What color is [a {animal}|a {animal}'s tongue|the flag of {country}|{planet}|{element}]?
What color do you get when you mix {color} and {color}?
What animal [has the longest tail|never sleeps|eats {animals}|sleeps standing up|lives the longest|is the symbol of \
{country}]?
What do {animals} eat?
What [kind|species] of {animal} [lives in {country}|is the smallest|can be kept as a pet|is poisonous]?
What is the scientific name for the {animal}?
What is the fear of {plural} called?
What is the national [dish|bird|animal|sport|drink] of {country}?
What is {food} made [of|from]?
What [goes well|can I serve] with {food}?
What [ingredient|spice|drink|sauce|vegetable] goes [well |]with {food}?
What is a good substitute for {food}?
What instrument [did {person} play|has 88 keys|is used to measure {measured}|do Scots play at weddings]?
What is used to measure {measured}?
What sport [is played on ice|did {person} play|uses a shuttlecock|is most popular in {country}]?
What [team|club|country] won the [World Cup|championship|gold medal in {sport}|league title] in {year}?
What position did {person} play in {ballsport}?
What are the rules of {sport}?
What equipment do you need for {sport}?
What game is played with [a {color} ball|dice and a board|eleven players|cards and chips]?
What religion [do most people in {country} follow|was {person}]?
What is the {ordinal} [letter of the {language} alphabet|planet from the sun|book of the Bible|element in the \
periodic table]?
What causes {disease}?
What are the [symptoms|causes|early signs|stages|risk factors] of {disease}?
What is the [cure|best treatment|vaccine|cause|remedy] for {disease}?
How is {disease} [treated|transmitted|diagnosed|spread]?
How do you [get rid of|prevent|treat|catch|recover from] {disease}?
Can {disease} be [cured|prevented|inherited]?
Can [you|children|dogs] die from {disease}?
Who discovered the [cure|vaccine] for {disease}?
What [vitamin|drug|herb|exercise|diet] helps with {disease}?
Is {disease} contagious?
What part of the body does {disease} affect?
Which [company|brand] makes {brandthing}?
What [company|firm|group] [owns|is connected with|was named after] {entity}?
What [organization|agency|group|party] [did {person} lead|is responsible for {field}|regulates {field}]?
What is the name of the [company|group|army|tribe] that [built|discovered|lived near|defended] {entity}?
Which [university|school|college] did {person} attend?
Who [is|was] the [president|prime minister|king|queen|leader] of {country} [in {year}|during the {event}|]?
Who [won|lost] the [election|war|battle|championship|Nobel Prize for {nobel}] in {year}?
Who painted {entity}?
Who [killed|betrayed|defeated|succeeded] {person}?
Who discovered {discovery}?
Who designed [the flag of {country}|{entity}|{tall}]?
Who is the patron saint of {plural}?
Who is the [tallest|richest|fastest|oldest|youngest] [man|woman|person|athlete|politician] in [the world|{country}]?
Who [said|wrote] that {saying}?
Who are the [main characters|authors|actors] in {work}?
Who should I [call|contact|write to|ask] if [my passport is stolen|the heating fails|I lose my {object}]?
Whose [idea|fault|face|signature] was [on the first stamp|it to build {entity}|the {event}]?
Why do {animals} {animaldo}?
Why do people [{habit}|in {country} {habit}]?
Why is [the sky blue|the sea salty|{food} good for you|{place} so popular|{planet} red|{sport} so popular in \
{country}]?
Why does {thing} {happens}?
Why did {country} [join|leave|start|lose|enter] the {war}?
Why was {person} [arrested|exiled|killed|so popular|given an award]?
Why [was|is] {entity} [built|important|closed|called that]?
Why can't {animals} [fly|swim|see colors|live in cold water]?
Why are {plural} [so expensive|usually round|made of wood|important|often painted {color}]?
Why did [people stop using|they stop making] {plural}?
How do {animals} [communicate|find their way home|sleep|defend themselves|breathe|find food|reproduce|stay warm]?
How do you {howto}?
How can I {howto}?
How do I {howto}?
How should I {howto}?
What is the best way to {howto}?
What's the easiest way to {howto}?
Does anyone know how to {howto}?
Could you [please |]tell me how to {howto}?
Can [somebody|someone|anyone] explain how to {howto}?
I'm trying to {howto}, [any ideas|any suggestions|what should I do]?
Do I need [a special tool|a permit|a professional|experience|an account] to {howto}?
Is there [a way|an easy way|an app|a free tool] to {howto}?
Is it [possible|hard|legal|safe|expensive|worth the effort] to {howto}?
What do I need [in order |]to {howto}?
How much [time|money] do I need to {howto}?
Is it [OK|safe|normal|rude|legal|a good idea|dangerous|acceptable] to {isok}?
Should I {isok}?
Would it be [wrong|rude|better|a mistake] to {isok}?
What happens if [you|I] {isok}?
Is it true that {claim}?
Why is it that {claim}?
Do you [think|believe] [that |]{claim}?
Does it matter whether {claim}?
What evidence is there that {claim}?
Are {animals} [dangerous|endangered|intelligent|good pets|mammals|color blind|related to {animals}]?
Are there [any |]{animals} in {country}?
Are {plural} [better than|the same as|more expensive than] {plural}?
Do {animals} [hibernate|have ears|lay eggs|mate for life|eat {animals}|make good pets]?
Does {country} have [a king|nuclear weapons|an army|the death penalty|a free press|a space program]?
Can {animals} [swim|climb trees|see in the dark|hear well|be trained]?
Can I [freeze|reheat|microwave|bake with] {food}?
Can I take [{food}|a {object}|my {object}] on [a plane|the train|board]?
Is {food} [healthy|vegan|gluten free|bad for you|safe for dogs]?
Is {city} [safe|expensive|worth visiting|bigger than {city}|the capital of {country}]?
Is {country} [in {continent}|bigger than {country}|a democracy|a member of the European Union]?
Is a {animal} [a mammal|faster than a {animal}|bigger than a {animal}|dangerous to humans]?
Is {person} still alive?
Was {person} [ever married|a real person|born in {country}]?
Was {entity} [destroyed|built] [before|after] {year}?
Did {country} [take part in|lose] the {event}?
Has {country} ever [won a gold medal in {sport}|hosted the World Cup|had a female president]?
Have you ever [been to|visited|lived in] {place}?
Have you tried {food} with {food}?
Which is [bigger|older|farther north|more expensive], {city} or {city}?
Which is [better|healthier|cheaper|more popular], {food} or {food}?
Which is [faster|heavier|smarter|stronger], a {animal} or a {animal}?
Which [planet|moon|star|constellation] is [the largest|closest to {planet}|visible in {month}|named after a god]?
Which {object} should I buy for [less than {money} dollars|my {family}|a beginner|everyday use]?
Which [airline|train|bus] goes to {city}?
What are [some|the] [advantages|disadvantages|benefits|dangers|types|uses|examples] of {term}?
What are {plural} [made of|used for|called in {country}]?
What are the [main|three|four|most important] [kinds|parts|causes|types] of {term}?
What is the [history|origin|purpose|theory|future|cost|role] of {term}?
What [role|part] did {person} play in the {event}?
What effect [does|did] {term} have on {field}?
What is the relationship between {term} and {term}?
How [is|was] {entity} [discovered|built|named|related to {entity}]?
How did {place} get its name?
How did the {event} [start|end|affect {country}]?
How [do|does] {field} work in {country}?
How is {food} made?
How do you [cook|make|store|season|serve] {food}?
How would you describe {place} to a [stranger|child|tourist]?
What do {jobs} do [all day|at work|in winter|]?
What [training|education|license] do you need to become a {job}?
What is it like to [work as a {job}|live in {place}|study in {city}|grow up in {country}]?
What [are|were] the [results|consequences|main causes|effects] of the {event}?
What did {entity} [look like|mean to {person}|do]?
What do you know about {entity}?
What is {entity}?
What was {entity}?
What is the name of [{person}'s ship|the river near {city}|the lake near {city}|the airport in {city}]?
What is the story behind {entity}?
Tell me about {entity}.
Name a {noun} [made in|from|found in] {country}.
Name {smallint} {plural}.
Please explain {term} in simple terms.
Can you recommend a [restaurant|hotel|museum|book|guide|beach] in {city}?
Can you tell me [where|how far|how big] {place} is?
Could you help me find [a {object}|the nearest {shop}|my {object}|information about {entity}]?
Would you mind [telling me|explaining] what {term} means?
May I ask [why my order was cancelled|where you bought that {object}|when the {shop} opens]?
I was wondering if {claim}?
My {object} {broken}, [what should I do|how can I fix it|is it covered by the warranty|any ideas]?
Why [has|is it that] my {object} [stopped working|turned {color}|got so slow]?
When will my {object} [arrive|be delivered|be repaired|be shipped]?
Where is my {object}?
Can I [return|exchange|cancel|track|change] my order for [a|the] {object}?
Do you have this {object} in {color}?
Do you [ship|deliver] {plural} to {country}?
What is your [return|refund|privacy|shipping] policy for {plural}?
What time does the {shop} [open|close] on {day}?
Is there a {shop} near [here|{city}|the station|my hotel]?
How do I [reset|change|recover|find] my [password|username|email address|account number|PIN|delivery address]?
Why was [my card declined|I charged twice|my account locked|my payment refused|my flight cancelled]?
How long does [a refund|a transfer|delivery|the repair|verification] [take|usually take]?
Has anyone else had problems with [the new {object}|their {object}|{company}]?
What's your favorite [{noun}|{food} recipe|place in {country}|book by {person}|team in {sport}]?
What would you do if [you lost your {object}|a {animal} attacked you|you were the {job}|you won {money} dollars]?
""")
_QLEX: dict[str, list[str]] = {
    "country": COUNTRY, "city": CITY, "animal": ANIMAL, "food": FOOD, "invention": INVENTION, "disease": DISEASE,
    "sport": SPORT, "company": COMPANY, "abbr": ABBR, "language": LANGUAGE, "month": MONTH, "day": DAY, "color": COLOR,
    "greet": _w("""hello, goodbye, thank you, please, excuse me, I love you, good morning, happy birthday, peace,
            yes, no"""),
    "adj": _w("""abundant, ancient, arrogant, bitter, brave, calm, clumsy, cruel, deep, dense, eager, fragile,
        generous,
        gentle, genuine, guilty, humble, innocent, lazy, loud, mature, modest, narrow, noisy, obscure, opaque, patient,
        polite, rare, rigid, rough, scarce, shallow, sincere, strict, temporary, timid, transparent, vague,
        wealthy"""),
    "unitname": _w("""kilometer, pound, ounce, hertz, limited company, horsepower, gallon, Missouri, barrel, volt,
            versus"""),
    "unit": _w("ounces, feet, inches, meters, grams, seconds, cups, liters, pints, acres, yards, bits, days, minutes"),
    "unit1": _w("""pound, mile, kilometer, gallon, ton, hour, year, quart, decade, byte, hectare, furlong, fathom,
            bushel"""),
    "feat": _w("""walk on the moon, climb Mount Everest, fly across the Atlantic, swim the English Channel, win two
        Nobel
        Prizes, reach the South Pole, sail around the world alone, run a mile in four minutes, receive a heart
        transplant,
        fly in space, break the sound barrier, win a Grand Slam, cross Africa on foot, vote in a national election,
        become
        a billionaire, direct a color film, cross the Pacific in a balloon"""),
    "superlative": _w("largest, longest, oldest, smallest, highest, deepest, tallest, most famous, coldest, busiest"),
    "geo": _w("""lake, island, mountain, river, desert, volcano, waterfall, bridge, canyon, forest, glacier, cave, dam,
        cathedral, university, airport, stadium, castle, city, port, tunnel, national park, library, zoo, museum"""),
    "geo2": _w("""longest river, longest bridge, coastline, border, longest tunnel, Great Wall, longest road, Nile,
            Danube"""),
    "continent": _w("Africa, Asia, Europe, North America, South America, Central America, the Middle East, Oceania"),
    "event": _w("""French Revolution, American Civil War, First World War, Second World War, Vietnam War, Korean
        War, Cold
        War, Gulf War, Crimean War, Boer War, Spanish Civil War, Thirty Years' War, Great Depression, Industrial
        Revolution, Russian Revolution, Black Death, Crusades, Cuban Missile Crisis, Battle of Waterloo, Gold Rush,
        Renaissance, Great Fire of London, Boston Tea Party, Apollo program, Berlin Airlift, Suez Crisis, Iron Age
        """),
    "war": _w("First World War, Second World War, Gulf War, Cold War, Crimean War, Korean War, league, trade war"),
    "longtask": _w("""fly to the moon, walk across {country}, learn {language}, cook a turkey, build a house, get a
        passport, drive from {city} to {city}, become a {job}, train a dog, digest a meal, grow tomatoes, recover from
        surgery, read the Bible, charge an electric car, boil an egg, write a novel, get a visa for {country}, climb
        Kilimanjaro, knit a sweater, cross the Atlantic by ship, run a marathon, brew beer, grow an oak tree, learn the
        violin, sail to {country}, get over {disease}, orbit {planet}"""),
    "planet": _w("Mercury, Venus, Mars, Jupiter, Saturn, Uranus, Neptune, Pluto, the moon"),
    "element": _w("""gold, silver, iron, copper, lead, tin, mercury, helium, hydrogen, oxygen, carbon, neon, zinc,
            uranium"""),
    "tall": _w("""the Eiffel Tower, the Statue of Liberty, Mount Everest, the Great Pyramid, Big Ben, the Golden
        Gate Bridge,
        the Empire State Building, Mont Blanc, Kilimanjaro, Mount Fuji, the Leaning Tower of Pisa, the Space
        Needle, K2,
        Niagara Falls, the CN Tower, the Matterhorn, Mount Rushmore, the Brandenburg Gate"""),
    "ballsport": _w("""baseball, basketball, cricket, soccer, rugby, handball, volleyball, lacrosse, water polo,
            ice hockey"""),
    "measured": _w("""earthquakes, wind speed, humidity, air pressure, temperature, rainfall, radiation, depth,
        altitude,
        electric current, blood pressure, time, weight, angles, distance, light, sound, acidity"""),
    "job": _w("""accountant, actor, architect, astronaut, baker, barber, bus driver, butcher, carpenter, chef, chemist,
        coach, dentist, detective, doctor, electrician, engineer, farmer, firefighter, fisherman, florist, gardener,
        geologist, hairdresser, judge, lawyer, librarian, mechanic, midwife, miner, nurse, optician, painter,
        paramedic,
        pharmacist, photographer, pilot, plumber, police officer, postman, priest, professor, psychologist, sailor,
        secretary, social worker, soldier, surgeon, tailor, teacher, translator, truck driver, veterinarian, waiter,
        web designer, welder"""),
    "chore": _w("""water a cactus, change the oil, wash a dog, change my sheets, see a dentist, replace a toothbrush,
        clean the oven, feed a hamster, back up a computer, mow the lawn, sharpen a knife, service a boiler, get a
        haircut,
        test a smoke alarm, rotate the tires, defrost the freezer, repaint a house, take vitamins, fertilize roses"""),
    "ordinal": _w("first, second, third, fourth, fifth, sixth, seventh, eighth, tenth, last"),
    "brandthing": _w("""the best running shoes, the safest car, the cheapest printer, the most reliable dishwasher, the
        best hiking boots, the most popular baby food, frozen vegetables, the oldest whisky, electric buses, the best
        headphones, garden tools, the smallest camera, fire engines, piano strings"""),
    "field": _w("""health insurance, public transport, education, the stock market, air traffic, nuclear safety,
        elections,
        food safety, taxes, agriculture, the environment, the economy, immigration, pensions, the courts, road safety,
        fishing, broadcasting, recycling, the water supply, child care, tourism, medical research"""),
    "nobel": _w("Peace, Literature, Physics, Chemistry, Medicine, Economics"),
    "discovery": _w("""penicillin, oxygen, electricity, radium, gravity, the electron, X-rays, insulin, DNA,
        Neptune, Pluto,
        the neutron, the North Pole, the source of the Nile, the speed of light, vitamin C, blood circulation, helium,
        uranium, bacteria, the rings of Saturn, radioactivity, continental drift, the law of falling bodies,
        Australia"""),
    "saying": _w("""time is money, knowledge is power, all roads lead to Rome, money can't buy happiness, the earth
        moves
        around the sun, history repeats itself, God does not play dice, power corrupts, patience is a virtue, less
        is more,
        practice makes perfect, every cloud has a silver lining"""),
    "habit": _w("""drink coffee, drive on the left, snore, shake hands, bite their nails, collect stamps, wear
        wedding rings,
        celebrate birthdays, yawn, lie, get divorced, eat {food}, dream, believe in ghosts, gamble, keep {animals}
        as pets,
        clap, cry at weddings, move to {city}, fear {animals}, play {sport}, blush, forget names, tip waiters,
        smoke, laugh"""),
    "animaldo": _w("""sleep so much, migrate, hibernate, purr, bite, change color, fight, lick people, have spots,
        have long
        tails, shed their skin, live in groups, hunt at night, bury their food, sing, build nests, eat grass, have
        big ears,
        stare at people, attack humans, sleep during the day, swim upstream, gather in large numbers, avoid people
        """),
    "thing": _w("""ice, metal, my computer, my car, hot air, the moon, wood, a magnet, milk, bread, a leaf, my
        skin, the
        engine, a mirror, the tap, my phone, hair, glass, water, rubber, paint, a candle, my cat, a balloon, iron
        """),
    "happens": _w("""float, rust, make a strange noise, change color, get hot, smell bad, turn {color}, crack,
        rise, go flat,
        expand when heated, burn, get smaller, melt, stop working in winter, shine, stick to everything, fall
        apart"""),
    "howto": _w("""remove a wine stain from a carpet, tie a bow tie, change a flat tire, lose weight, learn
        {language}, fix a
        leaking tap, boil an egg, make {food}, open a bank account, get a visa for {country}, renew my passport,
        train a
        puppy, unblock a sink, write a cover letter, cancel a subscription, sharpen a kitchen knife, stop snoring, quit
        smoking, get from {city} to {city}, install a printer, recover deleted files, reset my phone, block a
        number, sell
        a used car, find a cheap flight to {city}, save money, cook {food}, grow tomatoes, get rid of ants, keep
        {animals}
        out of the garden, paint a ceiling, hang a heavy mirror, learn to swim, play the guitar, improve my
        handwriting,
        get a driver's license, apply for a scholarship, become a {job}, start a small business, file a tax return,
        get a
        refund, move to {country}, treat {disease}, clean a leather sofa, remove rust, make friends in a new city,
        ask for
        a raise, prepare for a job interview, convert a file to PDF, merge two spreadsheets, speed up an old
        laptop, set up
        a wireless network, clean a {object}, replace the battery in my {object}, connect my {object} to my
        computer, ship a
        {object} to {country}, repair a broken {object}, choose a {object}, calculate the area of a circle, solve a
        quadratic equation, convert miles to kilometers, fold a paper crane, juggle, whistle, ride a horse, iron a
        shirt,
        sew on a button, knit a scarf, bake bread without yeast, store {food}, freeze {food}, make a {animal}
        costume, draw
        a {animal}, catch a {animal}, build a bookshelf, remove a splinter, stop a nosebleed, deal with a noisy
        neighbor,
        get over a breakup, teach a child to read, talk to a teenager, write a poem, publish a book, trace my
        family tree,
        contact {company}, complain to {company}, apply for a job at {company}, invest in {company}, watch {sport}
        online,
        get better at {sport}, get tickets for the theater, book a table for {smallint} people, cancel a hotel booking,
        change the language to {language}, dispute a charge on my card, report a lost card, transfer money to
        {country},
        increase my credit limit, track a parcel, return a pair of shoes, wash a wool sweater, read music, take good
        photos at night, tell if a {object} is genuine, survive an earthquake, cross the desert, find water in the
        wild,
        measure the height of a tree, wake up early, remember names, stay awake, fall asleep quickly, learn to drive
        """),
    "isok": _w("""leave a baby alone, eat raw eggs, drink tap water in {country}, swim after a meal, keep a
        {animal} as a pet,
        tip a taxi driver, wear white to a wedding, mix bleach and vinegar, skip breakfast, take aspirin every day,
        feed
        bread to {animals}, eat {food} every day, call my boss by his first name, buy a used {object}, drive without
        insurance, travel alone in {country}, read someone else's mail, quit my job without notice, sleep with the
        window
        open, lend money to a friend, lie about my age, park in front of a hydrant, copy a DVD, run with a cold, plug a
        {object} into an extension cord, charge a phone overnight, wash wool in hot water, put a {object} in the
        dishwasher,
        give {food} to a dog, stay up all night before an exam, refuse an invitation, tell my {family} the truth,
        invest all
        my savings in {company}, pay in cash, move in with my {family}, leave the lights on, adopt an older dog,
        ignore a
        parking ticket, drink coffee during pregnancy, cut my own hair, study {language} and {language} at the same
        time,
        exercise with {disease}, fly with {disease}, drive with {disease}, take photos in a museum"""),
    "claim": _w("""cats always land on their feet, money makes people happy, the earth is getting warmer, lightning
        never
        strikes twice, coffee is bad for the heart, women live longer than men, {animals} can recognize human
        faces, dogs
        can smell fear, {country} has more lakes than {country}, breakfast is the most important meal, carrots
        improve your
        eyesight, sugar makes children hyperactive, {food} helps against {disease}, {animals} are smarter than
        {animals},
        the universe is infinite, there is life on {planet}, robots will replace {jobs}, {language} is harder than
        {language}, {company} is going to buy {company}, {sport} is more dangerous than {sport}, {city} is more
        expensive
        than {city}, we only use a small part of the brain, the pyramids were built by slaves, {person} was
        left-handed,
        {person} never finished school, people used to eat {animals}, video games cause violence, {country} will
        win the
        World Cup, homework helps children learn, prices will rise next year"""),
    "object": _w("""air conditioner, alarm clock, backpack, bicycle, blender, camera, car, coat, coffee maker,
        couch, desk,
        dishwasher, drill, dryer, earphones case, electric kettle, freezer, guitar, hair dryer, hard drive, helmet,
        jacket,
        keyboard, ladder, lamp, laptop, lawn mower, mattress, microwave, monitor, motorcycle, mountain bike, oven,
        phone,
        piano, printer, radio, refrigerator, router, scanner, scooter, sewing machine, sleeping bag, smart watch,
        stroller,
        suitcase, tablet, telescope, television, tent, toaster, tripod, truck, umbrella, vacuum cleaner, violin,
        wallet,
        washing machine, watch, webcam"""),
    "broken": _w("""won't turn on, is making a strange noise, keeps overheating, arrived broken, is leaking, never
        arrived,
        stopped working, smells of smoke, is too small, is missing a part, has a crack, got wet, was stolen"""),
    "shop": _w("""bakery, bank, bookstore, bus station, butcher, cafe, cinema, gas station, grocery store, gym,
        hospital,
        laundromat, library, museum, park, pharmacy, police station, pool, post office, school, supermarket, zoo"""),
    "family": _w("""mother, father, sister, brother, grandmother, grandfather, son, daughter, wife, husband, aunt,
            uncle"""),
    "money": _w("20, 50, 100, 200, 300, 500, 1000, 5000, 10000, a million"),
    "smallint": _w("two, three, four, five, six, seven, eight, ten"),
    "int": [str(i) for i in range(3, 150)],
    "daynum": [str(i) for i in range(1, 29)],
    "year": [str(y) for y in range(1492, 2020, 1)] + [str(y) for y in range(1900, 2020)] * 6,
}  # fmt: skip
_IRREGULAR = {
    "mouse": "mice", "goose": "geese", "wolf": "wolves", "fox": "foxes", "ostrich": "ostriches", "walrus": "walruses",
    "octopus": "octopuses", "platypus": "platypuses", "buffalo": "buffaloes", "bison": "bison", "squid": "squid",
    "jellyfish": "jellyfish", "starfish": "starfish", "finch": "finches", "hippopotamus": "hippopotamuses",
    "rhinoceros": "rhinoceroses", "man": "men", "woman": "women", "child": "children", "person": "people",
    "kid": "kids", "policeman": "policemen", "businessman": "businessmen", "knife": "knives", "fisherman": "fishermen",
    "postman": "postmen", "police officer": "police officers", "sheep": "sheep", "deer": "deer", "fireman": "firemen",
}  # fmt: skip


def _plural(noun: str) -> str:
    """The plural of a noun."""
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if re.search(r"(s|x|z|ch|sh)$", noun):
        return noun + "es"
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + "s"


_NOUN_STOP = set(
    _w("""few, lot, number, result, year, day, man, while, bit, way, time, day, month, same, other, first, second,
        third,
little, whole, former, latter, most, best, such, more, new, old, great, large, small, single, series, variety,
majority,
very, total, kind, type, part, member, one, set, group, minority, rest, fact, case, example, couple, pair, half,
quarter,
people, world, end, beginning, use, lack, need, chance, person, female, male, much, good, different, similar, late,
early,
century, decade, form, mid, child, plural, given, particular, certain, german, english, french, british, american""")
)


_NOT_NAME = tuple(
    _w("""County, River, Island, Islands, City, University, Street, Church, Bay, Lake, School,
College, Park,
War, Empire, Army, Act, House, Hill, Party, Company, Town, Valley, Bridge, Band, Cup, Prize, Award, Region, Museum,
Creek,
Theory, Order, Club, Records, Airport, Hospital, Palace, Castle, Court, Group, Institute, Center, Point, Cross,
Games""")
)
WORK = _w("""Hamlet, Macbeth, Don Quixote, War and Peace, Crime and Punishment, Moby Dick, Pride and Prejudice,
Jane Eyre,
Wuthering Heights, Great Expectations, Oliver Twist, Frankenstein, Dracula, Treasure Island, Robinson Crusoe, Ulysses,
The Great Gatsby, The Grapes of Wrath, Animal Farm, Lord of the Flies, The Hobbit, Dune, Faust, The Divine Comedy,
The Odyssey, The Iliad, Les Miserables, Madame Bovary, Anna Karenina, The Trial, The Stranger, Casablanca, Citizen
Kane,
Gone with the Wind, Psycho, Vertigo, The Godfather, Star Wars, Jaws, Titanic, Alien, Blade Runner, Metropolis, Rocky,
Fantasia, Bambi, Pinocchio, Toy Story, The Sound of Music, West Side Story, Cats, Carmen, Aida, The Magic Flute, Tosca,
Swan Lake, The Nutcracker, Yesterday, Imagine, Thriller, Abbey Road, Born to Run, Bolero, The Simpsons, Doctor Who,
Star Trek, Tetris, Pac-Man, Monopoly, Peanuts, Tintin, Alice in Wonderland, Peter Pan, The Jungle Book, Black
Beauty""")


def _mine(sentences: Sequence[str]) -> tuple[dict[str, list[str]], Counter[str]]:
    """Slot fillers found in Wikipedia, and the counts of lower-case words."""
    lower: Counter[str] = Counter()
    nouns: Counter[str] = Counter()
    plurals: Counter[str] = Counter()
    entities: Counter[str] = Counter()
    people: Counter[str] = Counter()
    places: Counter[str] = Counter()
    re_noun = re.compile(r"\b[Aa]n? ([a-z]{3,14})(?= (?:of|is|was|that|which|in|to|with)\b|[.,;])")
    re_plural = re.compile(
        r"\b(?:many|several|some|various|few|all) ([a-z]{3,13}[^sui\W]s)(?= (?:of|are|were|that|in)\b|[.,;])"
    )
    span = r"[A-Z][a-z’'-]+(?: (?:of |the |de |von |van )?[A-Z][a-z’'-]+)"
    re_entity = re.compile(rf"(?<=[a-z,] )((?:the )?{span}{{1,2}})\b(?=[ ,.;)])")
    re_place = re.compile(
        r"\b(?:located in|city of|town of|village in|near|capital of|island of) ([A-Z][a-z]+(?: [A-Z][a-z]+)?)\b"
    )
    for sentence in sentences:
        lower.update(re.findall(r"(?<= )[a-z]+\b", sentence))
        nouns.update(re_noun.findall(sentence))
        plurals.update(re_plural.findall(sentence))
        entities.update(re_entity.findall(sentence))
        places.update(re_place.findall(sentence))
        m = _RE_BORN.match(sentence) or _RE_IS.match(sentence)
        if m and re.fullmatch(r"[A-Z][\w'’-]+ (?:[A-Z]\. )?(?:de |van |von )?[A-Z][\w'’-]+", m.group(1)):
            words = m.group(4).split()[:6] if m.re is _RE_IS else ["born"]
            personal = (
                not words
                or words == ["born"]
                or any(w.strip(",") in _PERSON - {"member", "general", "man"} for w in words)
            )
            if personal and m.group(1).split()[0] not in _BANNED | {"The"}:
                people[m.group(1)] += 1
    months = set(MONTH) | set(DAY)
    first_names = {p.split()[0] for p in people} | set(FIRST)
    people.update(e for e, c in entities.items() if c >= 3 and len(e.split()) == 2 and e.split()[0] in first_names)
    person_list = sorted(p for p in people if not p.endswith(_NOT_NAME))
    entity_list = sorted(
        e
        for e, c in entities.items()
        if c >= 4 and not months & set(e.split()) and len(e.split()) <= 5 and "’" not in e
    )
    good = [
        x
        for x, c in nouns.items()
        if c >= 12
        and x not in _NOUN_STOP
        and not x.endswith(("ly", "ed", "ing", "ous", "ic", "al", "ive", "ible", "able"))
    ]
    place_list = sorted(
        {p for p, c in places.items() if c >= 4 and p.split()[0] not in months | _BANNED} | set(CITY) | set(COUNTRY)
    )
    terms = sorted(_terms(sentences, lower))
    mined = {
        "noun": sorted(good),
        "plural": sorted(p for p, c in plurals.items() if c >= 6 and p not in {"times", "others", "ways", "cases"}),
        "entity": entity_list,
        "person": person_list,
        "place": place_list,
        "work": WORK,
        "term": terms,
    }
    return mined, lower


def _terms(sentences: Sequence[str], lower: Mapping[str, int]) -> set[str]:
    """Uncountable subjects of definitions, such as "superfetation"."""
    out: set[str] = set()
    for sentence in sentences:
        m = re.match(r"^([A-Z][a-z]{4,}(?: [a-z]{4,})?)(?: \([^)]*\))? is (?:an? |the |defined |any )", sentence)
        if m and m.group(1).split()[0] not in _BANNED:
            words = m.group(1).lower().split()
            if (
                all(lower[w] >= 4 for w in words)
                and not re.search(r"(ly|[^s]s|ed)$", words[-1])
                and words[0] != "another"
            ):
                out.add(" ".join(words))
    return out


def _punctuate(rng: random.Random, text: str) -> str:
    """Vary the ending and the case of a question."""
    r = rng.random()
    if r < 0.14 and text.endswith("?"):
        text = text[:-1] + " ?"
    elif r < 0.18 and text.endswith("?"):
        text = text[:-1]
    return text.lower() if rng.random() < 0.1 else text


def questions(rng: random.Random, wikipedia: Sequence[str], n: int) -> list[str]:
    """Questions about facts, things to do, and things gone wrong."""
    mined, lower = _mine(wikipedia)
    lexicon = {**_QLEX, **mined}
    lexicon["animals"] = [_plural(a) for a in ANIMAL]
    lexicon["jobs"] = [_plural(j) for j in _QLEX["job"]]
    rewritten = [q for sentence in wikipedia for q in _rewrite(sentence, lower)]
    rewritten = [q for q in dict.fromkeys(rewritten) if 3 <= len(q.split()) <= 16]
    rng.shuffle(rewritten)
    rewritten = [_punctuate(rng, q) for q in rewritten[: n * 2 // 5]]
    seen = set(rewritten)
    longer = [t for t in QUESTIONS if re.search(r"\{(howto|isok|claim|event|entity|place|disease|object|field)\}", t)]
    templates = QUESTIONS + longer

    def make() -> list[str]:
        return [_punctuate(rng, _cap(_fill(rng, rng.choice(templates), lexicon)))]

    return (rewritten + _collect(n - len(rewritten), make, seen))[:n]


# --------------------------------------------------------------------------------------------------------- scenes

HUMAN = _w("""man, woman, boy, girl, child, person, teenager, toddler, old man, old woman, young man, young woman,
lady,
little boy, little girl, kid, guy, tourist, student, worker, cyclist, athlete, father, mother, teacher, police officer,
soldier, farmer, chef, musician, dancer, street vendor, construction worker, firefighter, surfer, hiker, runner, nurse,
doctor, waiter, businessman, bride, clown, fisherman, bearded man, blond woman, bald man, elderly couple, young couple,
teenage girl, teenage boy, small child, grandmother, grandfather, shirtless man, tall man, redheaded woman""")
GROUP = _w("""group of people, group of children, group of friends, crowd of people, family, couple, band, team, class,
group of students, group of women, group of men, group of tourists, small crowd, pair of friends, line of people""")
PLURALS = _w("""men, women, boys, girls, children, people, kids, teenagers, students, workers, cyclists, tourists,
dancers,
musicians, soldiers, young men, young women, little girls, little boys, friends, players, old men, police officers""")
CLOTHES = _w("""hat, shirt, jacket, dress, coat, sweater, t-shirt, cap, helmet, scarf, uniform, vest, hoodie,
skirt, suit,
costume, raincoat, swimsuit, apron, backpack, tank top, jersey, tie, bandana, wig, robe""")
ANIMAL_AGENT = _w("""brown dog, black dog, white dog, small dog, big dog, dog, cat, kitten, puppy, black cat, gray cat,
horse, white horse, golden retriever, spotted dog, wet dog, monkey, bear, panda, elephant, goat, cow, duck, bird,
tiger,
lion, squirrel, rabbit, parrot, hamster, turtle, sheep, pig, fluffy dog, tabby cat, brown horse, baby elephant, fox""")
# place lists by setting, then actions by setting: "verb: object / object" or, without a colon, an intransitive phrase
PLACES: dict[str, list[str]] = {
    "kitchen": _w("""in the kitchen, in a kitchen, at the table, on a wooden table, in a restaurant, at home, on
        the counter,
        in a small apartment, outdoors, in a tent, on the balcony"""),
    "stage": _w("""on stage, on a stage, in the street, in a park, at a concert, in a bar, in front of a crowd, at
        a wedding,
        on a street corner, in a subway station, at a festival, in a church, in a living room, under a bright
        light"""),
    "field": _w("""in a field, on the grass, in a park, in a stadium, on a sunny day, in the rain, at school, in
        the backyard,
        on a muddy field, in a gym, on the beach, in front of a large crowd, during a game, at night"""),
    "water": _w("""in the ocean, in a lake, in a pool, in the river, at the beach, near the shore, in the sea, at
        sunset,
        in the water, in clear blue water, on a cloudy day"""),
    "snow": _w("""on a snowy hill, in the snow, on a mountain, in the mountains, down a slope, on a frozen lake, in
            winter"""),
    "street": _w("""on the street, down a busy street, on the sidewalk, in the city, at a market, near a bus stop,
        at night, in
        the rain, in front of a store, in front of a building, on a bridge, in a parking lot, through the crowd, at
        a train
        station, past a red car, beside a fountain, on a city corner, outside a cafe"""),
    "home": _w("""at home, in the living room, on a couch, on the bed, in the bedroom, by the window, on the floor,
        at a desk,
        in an office, in a library, in a classroom, on a bench, in a waiting room, under a tree, in a garden, on a
        porch"""),
    "work": _w("""in a workshop, in a garage, on a construction site, in a factory, outside, on the roof, beside
        the road, in
        the yard, at a farm, in front of a house, near a truck, in the basement, in a barn"""),
    "nature": _w("""in the woods, in the forest, on a trail, in the desert, by a river, near a waterfall, in a
        meadow, on a
        hill, in tall grass, at the edge of a cliff, under a blue sky, on a rocky path, at dawn, through the trees"""),
    "play": _w("""at the playground, in the park, in the backyard, on the beach, in the living room, at a birthday
        party, on the
        lawn, at school, in the sand, under a tree, in a sunny garden, in the street"""),
}  # fmt: skip
ACTIONS: dict[str, str] = {
    "kitchen": """slice: an onion/a tomato/a cucumber/a carrot/a potato/some bread/a lemon/some mushrooms/a pepper
        cut: a cake/some vegetables/a pineapple/an apple/some meat/a piece of paper/a fish
        peel: a potato/an orange/a banana/an apple/some shrimp/some garlic
        chop: an onion/some herbs/some garlic/some celery
        fry: an egg/some fish/some rice/some bacon
        cook: some pasta/some meat/a meal/dinner/breakfast/soup
        stir: a pot of soup/some sauce/the batter
        pour: some milk/a glass of water/some oil into a pan/some coffee/some wine
        mix: some ingredients/flour and eggs/a salad/the dough
        eat: a sandwich/a hamburger/an apple/some noodles/ice cream/pizza/a banana/watermelon/breakfast
        drink: a cup of coffee/some juice/a beer/some tea/water from a bottle
        wash: the dishes/some lettuce/a cup/some fruit
        grate: some cheese/a carrot
        bake: a cake/some bread/cookies/a pie
        knead: the dough
        crack: an egg/a nut/a coconut
        season: a steak/some chicken/a piece of meat
        boil: some eggs/noodles
        serve: some food/a plate of pasta/drinks
        decorate: a cake/some cupcakes
        spread: butter on some bread/jam on some toast
        set the table
        look into the refrigerator""",
    "stage": """play: the guitar/the piano/the violin/the flute/the drums/the trumpet/an accordion
        play: the harp/the cello/a keyboard
        play: an electric guitar/a saxophone/a banjo/the harmonica/the ukulele
        sing
        sing: a song/a love song/an old song
        sing into a microphone
        dance
        dance to loud music
        tune: a guitar/a violin
        juggle: three balls/some knives/some torches
        perform: a magic trick/a dance/a song
        give: a speech/a concert/a presentation
        hold: a microphone/a trumpet/a guitar
        clap
        bow
        wave to the audience
        conduct: an orchestra/a choir
        act in a play
        strum: a guitar""",
    "field": """play: soccer/football/baseball/basketball/volleyball/tennis/cricket/rugby/golf
        play: frisbee/badminton/lacrosse
        kick: a ball/a soccer ball
        throw: a ball/a frisbee/a baseball/a javelin
        catch: a ball/a football/a frisbee
        hit: a ball/a tennis ball/a baseball with a bat
        run
        run a race
        jump over a hurdle
        jump
        do push-ups
        lift: weights/a heavy weight/a trophy
        stretch
        chase: a ball/another player
        tackle: an opponent/a player
        score: a goal/a point
        swing: a bat/a golf club
        dribble: a basketball
        shoot: an arrow/a basketball
        celebrate a victory
        warm up
        do a backflip
        do a handstand
        practice karate
        wrestle
        box
        wait for the ball
        argue with the referee
        fall to the ground""",
    "water": """swim
        surf
        surf a big wave
        dive
        dive into the water
        float on a raft
        paddle: a canoe/a kayak/a small boat
        row: a boat
        sail: a boat/a small sailboat
        catch: a fish/a wave
        ride: a wave/a jet ski/a surfboard
        splash
        jump into the water
        water-ski
        fish from a boat
        snorkel
        wade
        carry: a surfboard/a canoe
        scuba dive
        drift in a boat""",
    "snow": """ski
        snowboard
        sled
        ice skate
        build: a snowman/an igloo
        throw: a snowball/some snow
        shovel: snow
        climb: an icy wall/a mountain/a snowy peak
        slide
        walk
        pull: a sled/a child on a sled
        fall
        play hockey
        jump off a ramp
        make a snow angel""",
    "street": """walk
        walk: a dog/two dogs
        ride: a bicycle/a motorcycle/a scooter/a horse/a skateboard/a bus/a unicycle
        push: a stroller/a shopping cart/a bicycle/a wheelchair
        carry: a bag/an umbrella/some groceries/a baby/a suitcase/a box/flowers
        sell: fruit/newspapers/balloons/vegetables/hot dogs/paintings/flowers
        buy: some fruit/a newspaper/ice cream/a ticket
        cross the street
        wait for a bus
        hail: a taxi
        drive: a car/a bus/a truck/a taxi
        take: a picture/a photograph of a building
        hold: a sign/an umbrella/a camera/a flag/hands
        talk on a cell phone
        wave: a flag
        beg for money
        sweep: the sidewalk/the street
        park: a car/a van
        ride a skateboard down a rail
        skateboard
        march in a parade
        protest
        look at a map
        lean against a wall
        stand in line
        smoke: a cigarette/a pipe
        hug
        wash: a car/a window
        paint: a mural/a wall/a portrait
        feed: the pigeons/some birds
        run
        shout
        unload: a truck/some boxes
        get into a taxi
        get off a bus
        eat: an ice cream cone/a hot dog
        listen to music""",
    "home": """read: a book/a newspaper/a magazine/a letter/a story to a child
        write: a letter/a poem/something in a notebook
        draw: a picture/a map/a horse
        sleep
        type on a keyboard
        use: a laptop/a computer/a phone/a tablet
        watch: television/a movie/a football game
        talk on the phone
        brush: a dog/her hair
        knit: a scarf/a sweater
        sew: a dress/a button on a shirt
        fold: some clothes/a piece of paper/a towel
        iron: a shirt
        play: cards/chess/a video game/a board game
        put on: makeup/some shoes/a coat/a pair of gloves
        sit
        sit with a cat
        laugh
        yawn
        open: a present/a window/a box/an envelope/a door
        close: a window/a door/a book
        hold: a baby/a cat/a cup/a candle
        rock: a baby
        study
        vacuum: the carpet
        water: some plants/the flowers
        clean: the floor/a window/a mirror
        light: a candle
        paint: a picture/a bowl
        lie down
        take off: a coat/a pair of shoes
        pet: a cat/a dog
        shave
        pack: a suitcase
        talk
        stare out of the window
        solve: a puzzle/a math problem""",
    "work": """repair: a car/a bicycle/a roof/a fence/an engine/a washing machine
        fix: a bicycle/a computer/a broken chair
        hammer: a nail
        saw: a board/a log
        drill: a hole
        weld: a pipe/a piece of metal
        paint: a fence/a door/a wall
        dig: a hole/a ditch
        build: a wall/a house/a wooden table
        climb: a ladder
        carry: a ladder/some bricks/a heavy box/a plank
        chop: some wood/a log
        load: a truck/some boxes onto a cart
        change: a tire/a light bulb
        drive: a tractor/a forklift/a truck
        mow: the lawn
        rake: some leaves/the yard
        plant: a tree/some flowers/some seeds
        milk: a cow
        feed: a horse/some chickens/a calf/some pigs
        shear: a sheep
        pick: apples/grapes/cotton
        measure: a board/a window
        operate: a machine/a crane
        inspect: a machine/a bridge
        wear a hard hat
        clean: a gun/a machine/a motorcycle
        mix: some cement
        lay: some bricks/tiles
        sand: a board/a chair
        push: a wheelbarrow""",
    "nature": """hike
        climb: a tree/a rock/a steep hill/a cliff
        walk
        camp
        cross: a stream/a narrow bridge
        ride: a horse/a mountain bike/a camel/an elephant/a dirt bike
        photograph: a bird/a flower/a deer
        pick: some flowers/mushrooms/berries
        build: a fire/a tent/a shelter
        rest
        hang from a rope
        look through binoculars
        sit around a campfire
        run
        jump over a log
        fly: a kite
        hunt
        gather: firewood/berries
        point at a mountain
        carry: a large backpack/some firewood
        look at the sunset""",
    "play": """blow: bubbles/out some candles/up a balloon
        fly: a kite/a paper airplane
        play
        play on a swing
        play with a toy/a ball
        swing
        slide down a slide
        jump on a trampoline
        jump rope
        climb: a rope/a tree
        chase: a puppy/a butterfly/some bubbles
        build: a sandcastle/a tower of blocks
        hold: a balloon/a doll/a teddy bear/a toy truck
        ride: a tricycle/a pony/a carousel/a toy car
        throw: a ball/some sand/a water balloon
        cry
        laugh
        smile
        hide
        run through a sprinkler
        crawl
        eat: a lollipop/a cupcake/cotton candy
        wear a costume
        spin in circles
        push: a toy truck/a swing
        hug: a dog/a teddy bear
        paint: a picture/her face
        dance""",
}
ANIMAL_ACTIONS = """chase: a ball/a cat/a bird/another dog/a rabbit/a squirrel
run
run through the grass
sleep
jump over a fence
jump into the water
catch: a frisbee/a stick/a fish
carry: a stick/a ball/a toy in its mouth
chew: a bone/a shoe/a stick
eat: some grass/a carrot/a banana/some food from a bowl/leaves
drink: some water/some milk from a bowl
lick: a plate/a baby/its paw
bark
bite: a rope/a toy
swim
dig: a hole
roll
play with a ball
play in the snow
look out of a window
stand
sit
lie down
climb: a tree/a ladder/a rock
walk
walk along a fence
watch: a bird/television
shake off water
pull: a cart/a sled
stare at a fish
stretch
yawn
hide under a table
sniff: a flower/the ground/another animal
fetch: a stick/a newspaper
scratch: a door/a sofa
stand on its hind legs"""
ANIMAL_PLACES = _w("""in a field, on the grass, on the beach, in the snow, in the water, in the yard, in a park, on
a couch,
in the woods, on the road, at the zoo, near a river, in a cage, on the carpet, in the mud, next to a tree, behind a
fence,
in the sun, in a barn, by the door""")
_ADVERB = _w("quickly, slowly, happily, carefully, quietly, alone, together")
_SYN = [("man", "guy"), ("child", "kid"), ("little", "small"), ("woman", "lady"), ("sidewalk", "pavement"),
        ("couch", "sofa"), ("big", "large"), ("near", "next to"), ("picture", "photo"), ("ocean", "sea"),
        ("road", "street"), ("bicycle", "bike"), ("talk", "speak"), ("forest", "woods"), ("store", "shop"),
        ("slicing", "cutting"), ("repairing", "fixing"), ("running", "sprinting"), ("jumping", "leaping"),
        ("young", "youthful"), ("carrying", "holding"), ("sitting", "seated"),
        ("crowd", "group"), ("cooking", "preparing"), ("looking", "gazing"), ("garden", "yard"), ("hill",
        "slope")]  # fmt: skip
_DOUBLE = set(
    _w("""cut, stir, chop, run, swim, hug, hit, knit, sit, put, get, dig, shop, rub, hop, skip, pet, jog,
plan, spin,
set, clap, win, bet, beg, wrap, strum, drip, rob, grip, tag, drop, stop, trim, snap""")
)
_PARTICIPLE = {
    "cut": "cut", "eat": "eaten", "drink": "drunk", "ride": "ridden", "throw": "thrown", "catch": "caught",
    "hit": "hit",
    "sing": "sung", "hold": "held", "build": "built", "buy": "bought", "sell": "sold", "drive": "driven",
    "take": "taken",
    "read": "read", "write": "written", "draw": "drawn", "sew": "sewn", "dig": "dug", "feed": "fed", "shear": "shorn",
    "fly": "flown", "blow": "blown", "give": "given", "swing": "swung", "shoot": "shot", "spread": "spread",
    "light": "lit",
    "saw": "sawn", "lay": "laid", "bite": "bitten", "put on": "put on", "take off": "taken off", "sweep": "swept",
    "mow": "mown", "set": "set",
}  # fmt: skip


def _ing(verb: str) -> str:
    """The -ing form of a verb phrase (its first word)."""
    head, _, tail = verb.partition(" ")
    if head in {"lie", "die", "tie"}:
        form = head[:-2] + "ying"
    elif head in _DOUBLE:
        form = head + head[-1] + "ing"
    elif head.endswith("e") and not head.endswith(("ee", "oe")):
        form = head[:-1] + "ing"
    else:
        form = head + "ing"
    return f"{form} {tail}".strip() if head != "scuba" else "scuba diving"


def _third(verb: str) -> str:
    """The third person singular of a verb phrase."""
    head, _, tail = verb.partition(" ")
    form = {"do": "does", "scuba": "scuba"}.get(head) or _plural(head)
    return f"{form} {tail}".strip() if head != "scuba" else "scuba dives"


def _participle(verb: str) -> str:
    """The past participle of a verb."""
    if verb in _PARTICIPLE:
        return _PARTICIPLE[verb]
    if verb.endswith("e"):
        return verb + "d"
    if verb in _DOUBLE:
        return verb + verb[-1] + "ed"
    return verb[:-1] + "ied" if re.search(r"[^aeiou]y$", verb) else verb + "ed"


def _actions(block: str) -> list[tuple[str, str]]:
    """(verb, object) pairs of an action block; the object of an intransitive phrase is empty."""
    out: list[tuple[str, str]] = []
    for line in block.splitlines():
        verb, _, objects = line.strip().partition(":")
        out += [(verb.strip(), o.strip()) for o in objects.split("/")] if objects else [(verb, "")]
    return out


def _agent(rng: random.Random, animal: bool) -> tuple[str, bool]:
    """An indefinite noun phrase, and whether it is plural."""
    if animal:
        if rng.random() < 0.2:
            return rng.choice(("two", "three", "several")) + " " + _plural(rng.choice(ANIMAL_AGENT)), True
        return "a " + rng.choice(ANIMAL_AGENT), False
    r = rng.random()
    if r < 0.12:
        return "a " + rng.choice(GROUP), False
    if r < 0.32:
        noun, plural = (
            rng.choice(("two", "two", "three", "four", "five", "several", "some")) + " " + rng.choice(PLURALS),
            True,
        )
    elif r < 0.36:
        a, b = rng.sample(("man", "woman", "boy", "girl", "child", "dog", "young woman", "old man"), 2)
        return f"a {a} and a {b}", True
    else:
        noun, plural = "a " + rng.choice(HUMAN), False
    r = rng.random()
    if r < 0.22 and "couple" not in noun:
        clothes, color = rng.choice(CLOTHES), rng.choice(COLOR)
        noun += f" in {color} {_plural(clothes)}" if plural else f" [in|wearing|with] a {color} {clothes}"
        noun = _ALT.sub(lambda m: rng.choice(m.group(1).split("|")), noun)
    elif r < 0.26:
        noun += rng.choice(
            (" with long hair", " with sunglasses", " with a beard" if " man" in noun else " with glasses")
        )
    return noun, plural


def _definite(noun: str) -> str:
    return re.sub(
        r"\band an? ", "and the ", re.sub(r"^(an?|some|several) ", "the ", re.sub(r"^(two|three)", r"the \1", noun))
    )


def _scene_variants(rng: random.Random, tables: Mapping[str, list[tuple[str, str]]]) -> list[str]:
    """One scene told in several ways, some of them with one thing changed."""
    setting = rng.choice(list(tables))
    animal = setting == "animal"
    table = tables[setting]
    places = ANIMAL_PLACES if animal else PLACES[setting]
    agent, plural = _agent(rng, animal)
    verb, obj = rng.choice(table)
    place = rng.choice(places) if rng.random() < 0.6 else ""

    def has_place(v: str, o: str, p: str) -> str:
        """Leave the place out where the phrase already names one."""
        return (
            "" if re.search(r"\b(in|into|on a|at|from|out of|through|down|off|around|over|with) ", f"{v} {o} ") else p
        )

    def tell(kind: str, a: str, many: bool, v: str, o: str, p: str) -> str:
        be = "are" if many else "is"
        p = has_place(v, o, p)
        act = f"{_ing(v)} {o}".strip()
        if kind == "plain":
            return f"{a} {be} {act} {p}"
        if kind == "caption":
            return f"{a} {act} {p}"
        if kind == "simple":
            return f"{a} {v if many else _third(v)} {o} {p}"
        if kind == "definite":
            return f"{_definite(a)} {be} {act} {p}"
        if kind == "negated":
            return f"{_definite(a)} {be} not {act} {p}"
        if kind == "there":
            return f"there {be if ' and ' not in a else 'is'} {a} {act} {p}"
        if kind == "no":
            bare = re.sub(r"^(an?|some|several|two|three|four|five) ", "", a)
            return f"there {be} no {bare} {act} {p}" if " and " not in a else f"nobody is {act} {p}"
        if kind == "adverb":
            adverb = rng.choice(_ADVERB[:-1] if not many else _ADVERB)
            return f"{a} {be} {act} {adverb} {p}" if adverb in {"alone", "together"} else f"{a} {be} {adverb} {act} {p}"
        if kind == "front" and p:
            return f"{p}, {a} {be} {act}"
        if kind == "passive" and o and v in passive_ok:
            words = o.split(" ", 1)
            many_o = (o.startswith(("some ", "three ", "two ")) and o.endswith("s")) or (
                " " not in o and o.endswith("s") and o not in {"chess", "tennis"}
            )
            o = rng.choice((o, "the " + words[1])) if words[0] in {"a", "an", "some"} and len(words) > 1 else o
            return f"{o} {'are' if many_o else 'is'} being {_participle(v)} by {a} {p if rng.random() < 0.5 else ''}"
        return f"{a} {be} {act} {p}"

    passive_ok = {v for v, o in table if o and not re.search(r"^(wear|do|have|smoke|take)$", v)}
    if " into " in obj or " on " in obj or "hands" in obj or " her " in f" {obj} ":
        passive_ok = set()
    if obj.startswith(("up ", "out ")) or re.search(r"\b(her|its)\b", obj):
        agent, plural = (
            (agent, plural) if animal and not plural else ("a little girl" if not animal else "a brown dog", False)
        )
    kinds = ["plain", "caption", "simple", "definite", "negated", "there", "no", "adverb", "front", "passive"]
    chosen = rng.sample(kinds, rng.randint(2, 4))
    out = [tell(k, agent, plural, verb, obj, place) for k in chosen]
    kind = rng.choice(("plain", "definite", "plain", "there", "caption", "passive"))
    r = rng.random()
    if r < 0.3:
        other, many = _agent(rng, animal)
        if not re.search(r"\b(her|its)\b", obj):
            out.append(tell(kind, other, many, verb, obj, place))
    elif r < 0.55:
        same = [o for v, o in table if v == verb and o != obj and not re.search(r"\b(her|its)\b", o)]
        if same:
            out.append(tell(kind, agent, plural, verb, rng.choice(same), place))
    elif r < 0.7:
        out.append(tell(kind, agent, plural, verb, obj, rng.choice(places)))
    elif r < 0.85:
        v2, o2 = rng.choice(table)
        if not re.search(r"\b(her|its)\b", o2):
            out.append(tell("plain", agent, plural, v2, o2, place))
    else:
        text = out[0]
        for a, b in rng.sample(_SYN, len(_SYN)):
            if re.search(rf"\b{a}\b", text):
                out.append(re.sub(rf"\b{a}\b", b, text))
                break
    if rng.random() < 0.12:
        a2, many2 = _agent(rng, rng.random() < 0.3)
        v2, o2 = rng.choice(table if not animal else _actions(ANIMAL_ACTIONS))
        if not re.search(r"\b(her|its)\b", o2) and a2 != agent:
            be2 = "are" if many2 else "is"
            out.append(f"{tell('plain', agent, plural, verb, obj, '')} while {a2} {be2} watching")
            out.append(f"{tell('plain', agent, plural, verb, obj, '')} and {a2} {be2} {_ing(v2)} {o2}")
    done = []
    for text in out:
        text = _cap(_articles(re.sub(r"\s+", " ", text).strip()))
        if 3 <= len(text.split()) <= 17:
            r = rng.random()
            done.append(text + ("." if r < 0.6 else " ." if r < 0.75 else ""))
    return done


STILL = _lines("""
A {color} {thing} [is parked|is lying|is standing] {where}.
There is a {color} {thing} {where}.
A {thing} and a {thing} [are|lie] {where}.
{num} {things} are {where}.
There are {num} {things} {where}.
There are no {things} {where}.
A close-up of a {color} {thing} {where}.
A {adj} {thing} {where}.
The {thing} is {adj}, not {adj}.
The {thing} {where} is {color}.
A {room} with {color} walls and a {adj} {thing}.
A {adj} {room} with a {thing} and {num} {things}.
A {color} and {color} {vehicle} [is driving|is parked|is moving|has stopped] {road}.
A {adj} {vehicle} {road}.
A {vehicle} [passes|follows|is overtaking|is next to] a {color} {vehicle} {road}.
A view of [a city|the sea|mountains|a harbor|an old town|a valley] [at night|from above|in winter|through a window].
""")
_STILL_LEX = {
    "color": COLOR,
    "thing": _w("""bench, chair, table, vase, clock, lamp, umbrella, book, bowl, cup, bottle, sofa, suitcase, hat,
        teapot, boat,
        basket, plate, guitar, piano, mirror, rug, box, bag, ball, kite, tent, bucket, ladder, flag, statue,
        candle, pillow,
        toy, laptop, telephone, television, camera, bicycle, flower pot, birdhouse, barrel, fence, sign, mailbox"""),
    "where": _w("""on the table, on the floor, near the window, in the grass, on the beach, under a tree, in the
        corner, by the
        door, on a shelf, in front of a house, next to the bed, in the garden, against the wall, in an empty room,
        on the
        balcony, on the counter, in the middle of the street, on the roof, behind the couch, beside the road"""),
    "adj": _w("""large, small, old, broken, wooden, new, dirty, clean, round, empty, full, shiny, rusty, modern,
        antique, tall,
        narrow, colorful, striped, plastic, heavy, wet, dusty, messy, bright, dark"""),
    "num": _w("two, three, four, five, six, several, some, many"),
    "room": _w("kitchen, bathroom, bedroom, living room, hotel room, office, dining room, classroom, hallway, garage"),
    "vehicle": _w("""bus, train, truck, car, motorcycle, airplane, van, taxi, tractor, helicopter, double-decker
        bus, fire
        engine, police car, sports car, jeep, tram, school bus, delivery van"""),
    "road": _w("""down the street, on the road, on a highway, near a station, in front of a building, at an
        intersection, next
        to a river, under a bridge, in the snow, on a country road, past a field"""),
}  # fmt: skip


def scenes(rng: random.Random, n: int) -> list[str]:
    """Picture-caption-like sentences with many near-duplicates."""
    tables = {name: _actions(block) for name, block in ACTIONS.items()}
    tables["animal"] = _actions(ANIMAL_ACTIONS)
    lexicon = {**_STILL_LEX, "things": [_plural(x) for x in _STILL_LEX["thing"]]}

    def make() -> list[str]:
        if rng.random() < 0.2:
            return [_cap(_fill(rng, rng.choice(STILL), lexicon))]
        return _scene_variants(rng, tables)

    return _collect(n, make)


# ------------------------------------------------------------------------------------------------------- opinions

OPINIONS = _lines("""
{The} {part} is {pos}.
{The} {part} is {neg}.
{The} {part} is {adv} {pos}.
{The} {part} is {adv} {neg}.
{The} {part} is {neg}, but {the} {part} is {pos}.
{The} {part} is {pos}, but {the} {part} is {neg}.
Although {the} {part} is {pos}, {the} {part} is {neg}.
Although {the} {part} is {neg}, {the} {part} is {adv} {pos}.
Despite {the} {pos} {part}, this {item} is {neg}.
Despite {a} {neg} {part}, the {item} is {adv} {pos}.
This {item} is {pos} and {pos}.
This {item} is {neg} and {neg}.
This is {a} {pos}, {pos} {item}.
This is {a} {neg}, {neg} {item}.
{a} {pos} {item} with {a} {pos} {part}.
{a} {neg} {item} with {a} {neg} {part}.
{a} {pos} {item} let down by {a} {neg} {part}.
{a} {neg} {item} saved by {a} {pos} {part}.
{a} {adv} {pos} {item}.
{a} {adv} {neg} {item}.
{pos}, {pos} and {adv} {pos}.
{neg}, {neg} and {adv} {neg}.
not as {pos} as {the} last {item}, but still worth it.
The {item} is more {neg} than {longpos}.
The {item} is {pos} enough to {praise}.
The {item} is so {neg} that {complaint}.
The {item} is so {pos} that {delight}.
I {love} this {item}.
I {hate} this {item}.
I {love} {the} {part}, but I {hate} {the} {part}.
I {love} the {part} and the {part} of this {item}.
I expected {a} {pos} {item}, but {complaint}.
I expected little from this {item}, but {delight}.
My {family} {lovethird} this {item} because {the} {part} is {pos}.
My {family} {hatethird} it: {the} {part} was {neg}.
If you {want}, this {item} is [perfect|a good choice|a waste of time|not for you].
{delight}, and {the} {part} is {pos}.
{complaint}, and {the} {part} is {neg}.
{the} {part} never {verbgood}, and {complaint}.
{the} {part} {verbgood}.
{the} {part} {verbbad}.
{the} {part} {verbbad}, though {the} {part} {verbgood}.
{the} {part} {verbgood} even when {the} {part} {verbbad}.
Compared with other {items}, this one is {pos}.
Compared with other {items}, this one is {adv} {neg}.
One of the [most|least] {longpos} {items} [of the year|I have ever tried|around|in a long time].
There is nothing {pos} about this {item}.
There is something {adv} {pos} about {the} {part}.
It is hard not to {love2} {a} {item} this {pos}.
[Good|Decent|Great] {part}, [terrible|poor|awful] {part}.
[Poor|Bad|Terrible] {part}, [but great|but excellent|lovely] {part}.
Neither {pos} nor {pos}, just {neg}.
Would [not |never |definitely |gladly |]recommend this {item} to [anyone|a friend|families|beginners|my {family}].
{goodrating} for {a} {pos} {item}.
{badrating} because {the} {part} was {neg}.
The {part} could have been more {longpos}, but overall the {item} is {pos}.
Overall, {a} {pos} {item}, if a little {neg} at times.
What the {item} lacks in {part}, it makes up for in {part}.
""")
_ADV = _w("""really, surprisingly, thoroughly, genuinely, often, consistently, incredibly, rather, quite, truly,
deeply,
remarkably, simply, utterly, painfully, wonderfully, oddly, fairly, extremely, mostly, unexpectedly, undeniably,
frequently,
terribly, refreshingly, a bit""")
_POS = _w("""absorbing, admirable, affecting, amazing, astonishing, beautiful, bold, breathtaking, brilliant,
charming, clever,
compelling, delightful, dependable, elegant, enchanting, engaging, enjoyable, entertaining, excellent, exceptional,
exciting,
exquisite, fascinating, fine, first-rate, flawless, fresh, generous, good, gorgeous, graceful, great, gripping, honest,
imaginative, impressive, ingenious, inspired, intelligent, inventive, likable, lively, lovely, magnificent, marvelous,
memorable, original, outstanding, perfect, playful, pleasant, pleasing, polished, powerful, refreshing, remarkable,
rewarding,
satisfying, sincere, smart, solid, special, spectacular, splendid, striking, strong, stunning, stylish, sublime,
superb,
superior, surprising, terrific, thoughtful, thrilling, timeless, touching, unforgettable, unique, uplifting, vivid,
warm,
well-made, winning, witty, wonderful, worthwhile""")
_NEG = _w("""abysmal, amateurish, annoying, appalling, average, awful, awkward, bad, bland, bloated, boring,
careless, cheap,
cliched, clumsy, cold, confusing, dated, dismal, disappointing, disastrous, dreadful, dreary, dull, empty,
excruciating,
exhausting, flat, flawed, forced, forgettable, frustrating, generic, half-hearted, hollow, horrible, inconsistent,
inept,
infuriating, insipid, insulting, irritating, joyless, lackluster, laughable, lazy, lifeless, limp, mechanical,
mediocre,
messy, miserable, monotonous, muddled, obnoxious, obvious, ordinary, overblown, overlong, overpriced, pathetic,
plodding,
pointless, poor, predictable, pretentious, repetitive, ridiculous, rushed, sad, second-rate, shallow, shoddy,
silly, sloppy,
slow, soulless, stale, sterile, stiff, stupid, tacky, tedious, terrible, thin, tired, tiresome, trite, ugly,
unbearable,
unconvincing, uneven, uninspired, unpleasant, unreliable, weak, wooden, worthless, wretched""")
_DOMAINS: dict[str, dict[str, list[str]]] = {
    "film": {
        "item": _w("""film, movie, comedy, drama, thriller, documentary, sequel, remake, romance, western, horror
        film, picture,
            satire, biopic, cartoon, love story, action movie, science fiction film, musical, debut, character
            study"""),
        "part": _w("""plot, acting, cast, script, dialogue, direction, soundtrack, ending, pacing, story, lead
        performance,
            cinematography, humor, premise, camera work, editing, first half, final act, screenplay, villain,
            romance, chemistry"""),
        "pos": _w("""hilarious, moving, suspenseful, heartfelt, well-acted, funny, sharp, poignant, haunting,
        tense, subtle, tender,
            provocative, visually rich, richly detailed, bittersweet, beautifully shot, full of life, daring, sexy"""),
        "neg": _w("""unfunny, sentimental, contrived, derivative, formulaic, badly acted, incoherent, manipulative,
        sappy,
            melodramatic, mean-spirited, heavy-handed, poorly written, self-indulgent, noisy, full of holes,
            humorless, preachy"""),
        "verbgood": _w("""keeps you on the edge of your seat, makes you laugh and cry, holds the film together,
        rings true, stays
            with you for days, never drags, earns every tear, brings the characters to life, packs an emotional
            punch"""),
        "verbbad": _w("""goes nowhere, runs out of steam, falls flat, never comes together, drags on forever,
        strains belief, feels
            like a rerun, wastes a talented cast, collapses in the second half, leaves you cold"""),
        "complaint": _w("""half the audience walked out, I checked my watch every five minutes, it put me to sleep,
        none of the jokes
            work, nothing much happens, you have seen it all before, I wanted my money back, I stopped caring after
            an hour"""),
        "delight": _w("""I laughed from start to finish, the whole theater applauded, I saw it twice, it left me in
        tears, the two hours
            flew by, even the small roles shine, you forget you are watching a movie, the kids were spellbound"""),
    },
    "book": {
        "item": _w("""book, novel, memoir, biography, story collection, fantasy novel, crime novel, cookbook,
            textbook, travel guide"""),
        "part": _w("""prose, plot, writing, ending, main character, first chapter, style, dialogue, world building,
            research, tone"""),
        "pos": _w("""beautifully written, well researched, hard to put down, lyrical, wise, rich, informative,
            insightful, clear"""),
        "neg": _w("poorly edited, dry, wordy, hard to follow, one-sided, overwritten, long-winded, superficial, dense"),
        "verbgood": _w("""pulls you in from page one, sparkles, makes you think, feels real, builds to a powerful
            climax"""),
        "verbbad": _w("never gets going, repeats itself, gets lost in detail, feels rushed, reads like a first draft"),
        "complaint": _w("""I gave up after fifty pages, I skipped whole chapters, the twist is obvious, it needed a
            better editor"""),
        "delight": _w("""I read it in one night, I could not put it down, I bought copies for my friends, every
            page is a joy"""),
    },
    "food": {
        "item": _w("""restaurant, pizza place, cafe, bakery, steakhouse, sushi bar, diner, bistro, food truck,
            buffet, pub, tea room"""),
        "part": _w("""food, service, soup, steak, pasta, dessert, coffee, wine list, menu, atmosphere, waiter,
        bread, salad, fish, pizza,
            burger, sauce, chicken, breakfast, decor, cake, price, portion size, seafood, curry, music"""),
        "pos": _w("""delicious, tasty, tender, authentic, friendly, fresh, cozy, reasonable, attentive, perfectly
            cooked, inviting"""),
        "neg": _w("""soggy, greasy, overcooked, undercooked, tasteless, salty, rude, stale, cold, noisy, burnt,
            dry, lukewarm"""),
        "verbgood": _w("""melts in your mouth, never disappoints, exceeds expectations, tastes like home, makes up
            for the wait"""),
        "verbbad": _w("""leaves a lot to be desired, tastes of nothing, takes forever, has gone downhill, costs far
            too much"""),
        "complaint": _w("""we waited an hour for our food, the waiter ignored us, I left hungry, I got sick
            afterwards, we will not be back"""),
        "delight": _w("""we ordered seconds, I go there every week, we can't wait to go back, we licked our plates
            clean"""),
    },
    "product": {
        "item": _w("""phone, laptop, camera, tablet, printer, vacuum cleaner, blender, coffee maker, jacket,
        backpack, mattress, watch,
            bike, car, tent, keyboard, pair of headphones, monitor, toaster, drill, speaker, router, stroller,
            lamp"""),
        "part": _w("""battery life, screen, sound, build quality, design, price, packaging, manual, customer
        service, finish, setup,
            software, performance, handle, color, warranty, delivery, weight, fit, motor, interface, fabric"""),
        "pos": _w("""sturdy, reliable, durable, easy to use, comfortable, light, sleek, fast, quiet, good value,
            practical, precise"""),
        "neg": _w("""flimsy, useless, defective, noisy, heavy, buggy, uncomfortable, fragile, badly designed, hard
            to use, misleading"""),
        "verbgood": _w("""works as advertised, does its job, looks better than in the photos, is worth every penny,
            lasts for years"""),
        "verbbad": _w("""breaks easily, stopped working after a week, does not match the description, gives me
            headaches, is a joke"""),
        "complaint": _w("""I returned it the next day, it broke within a month, nobody answered my emails, it never
            worked properly"""),
        "delight": _w("""I bought a second one, it works like a charm, it arrived early, I use it every day, it
            changed my life"""),
    },
    "hotel": {
        "item": _w("""hotel, hostel, resort, apartment, guest house, campsite, cruise, spa, inn, motel, bed and
            breakfast, tour"""),
        "part": _w("""room, bed, bathroom, view, location, staff, breakfast, pool, reception, air conditioning,
        carpet, lobby, shower,
            parking, balcony, beach, gym, wifi, elevator, neighborhood, bar"""),
        "pos": _w("""spotless, spacious, quiet, comfortable, helpful, central, welcoming, peaceful, luxurious,
            convenient, clean"""),
        "neg": _w("""dirty, noisy, cramped, shabby, smelly, unfriendly, damp, overcrowded, run-down, unsafe,
            freezing, moldy"""),
        "verbgood": _w("makes you feel at home, could not be better, takes your breath away, is worth the trip alone"),
        "verbbad": _w("smells of smoke, needs a good cleaning, looks nothing like the pictures, has seen better days"),
        "complaint": _w("""we hardly slept, there was hair in the shower, they lost our booking, nobody came to
            help, we left a day early"""),
        "delight": _w("""we stayed an extra night, they upgraded our room for free, we slept like babies, we will
            be back next year"""),
    },
    "music": {
        "item": _w("album, song, record, concert, single, debut album, opera, live show, soundtrack, podcast, track"),
        "part": _w("""melody, voice, guitar work, rhythm, chorus, production, bass, lyric writing, sound, singing,
            drumming, mix, beat"""),
        "pos": _w("""catchy, soulful, melodic, hypnotic, energetic, infectious, soothing, soaring, raw, emotional,
            danceable"""),
        "neg": _w("""tuneless, overproduced, whiny, grating, out of tune, too loud, unimaginative, listless, harsh,
            muddy"""),
        "verbgood": _w("""gets stuck in your head, gives me goosebumps, makes you want to dance, soars, gets better
            every time"""),
        "verbbad": _w("sounds like everything else on the radio, drowns out the vocals, wears thin, lacks energy"),
        "complaint": _w("""I skipped every second track, the singer was an hour late, my ears hurt, every song
            sounds the same"""),
        "delight": _w("""I have it on repeat, the crowd sang along, I had chills, we danced all night, it cheered
            me up at once"""),
    },
    "game": {
        "item": _w("""game, puzzle game, board game, racing game, expansion, strategy game, app, card game,
            shooter, simulation"""),
        "part": _w("""gameplay, story, artwork, difficulty, control scheme, level design, sound, multiplayer mode,
            tutorial, combat"""),
        "pos": _w("""addictive, challenging, immersive, fun, smooth, balanced, well designed, responsive, varied,
            beautifully drawn"""),
        "neg": _w("""buggy, unfair, unfinished, repetitive, too easy, laggy, unplayable, full of ads, unresponsive,
            needlessly hard"""),
        "verbgood": _w("""keeps me coming back, is a blast with friends, gets more interesting as you go, runs
            perfectly"""),
        "verbbad": _w("crashes all the time, gets old fast, makes no sense, punishes new players, feels like a chore"),
        "complaint": _w("""I uninstalled it after an hour, the servers are always down, it deleted my progress, I
            got stuck in level two"""),
        "delight": _w("""I played until four in the morning, the whole family is hooked, I finished it twice, it
            never gets old"""),
    },
    "service": {
        "item": _w("""airline, bank, gym, hair salon, dentist, school, course, delivery service, website, garage,
        insurance company,
            museum, store, phone company, moving company, teacher, doctor, dating site, theater"""),
        "part": _w("""staff, support, service, price, communication, waiting time, attitude, quality, organization,
            advice, experience"""),
        "pos": _w("""professional, courteous, prompt, knowledgeable, affordable, efficient, patient, kind,
            trustworthy, flexible"""),
        "neg": _w("""rude, incompetent, dishonest, unprofessional, slow, disorganized, unhelpful, expensive,
            arrogant, chaotic"""),
        "verbgood": _w("goes the extra mile, is second to none, puts you at ease, solved my problem in minutes"),
        "verbbad": _w("""is a nightmare, gets worse every year, could not care less, makes everything harder than
            it should be"""),
        "complaint": _w("""they charged me twice, I waited on hold for an hour, they never called back, I had to
            ask three times"""),
        "delight": _w("""they fixed everything on the spot, they gave me a full refund, I felt well looked after,
            they remembered my name"""),
    },
}  # fmt: skip
_OLEX = {
    "The": ["The", "The", "The", "Its"], "the": ["the"], "a": ["a"], "adv": _ADV,
    "love": _w("love, really liked, adored, enjoyed, can't get enough of, was impressed by, was delighted with"),
    "hate": _w("""hate, disliked, regret buying into, was bored by, was disappointed by, can't stand, lost patience
            with"""),
    "love2": _w("love, like, admire, recommend, enjoy"),
    "lovethird": _w("loves, really likes, adores, enjoyed"),
    "hatethird": _w("hates, disliked, can't stand, was bored by"),
    "praise": _w("recommend to anyone, make you smile, deserve a wide audience, justify the price, win over skeptics"),
    "want": _w("""have low expectations, are looking for something different, are in a hurry, are on a budget, hate
        surprises, have
        children, are a fan, want to relax, expect perfection, have money to burn, liked the previous one"""),
    "family": _QLEX["family"],
    "goodrating": _w("Five stars, Four stars, Two thumbs up, Ten out of ten, Nine out of ten, Full marks"),
    "badrating": _w("One star, Two stars, Zero stars, Three out of ten, Two out of five, No stars"),
}  # fmt: skip
PLOTS = _lines("""
a {padj} {hero} must {quest} before {deadline}.
a {padj} {hero} [returns to|moves to|arrives in] {setting} and [discovers|learns|finds out] that {secret}.
when {trigger}, a {hero} and a {hero} set out to {quest}.
set in {setting}, the [film|story|novel] follows a {padj} {hero} who [wants|tries|is forced] to {quest}.
after {trigger}, a {padj} {hero} falls in love with a {hero}.
{num} {heroes} [meet|are trapped|spend a summer] in {setting}, where {secret}.
a {hero} is hired to {quest}, but {secret}.
the {hero} tries to {quest} while a {padj} {hero} hunts him down.
one night in {setting}, a {hero} [meets|rescues|kidnaps|befriends] a {padj} {hero}.
in {setting}, {trigger} and a {hero} is accused of the crime.
as {deadline2}, a {hero} has to choose between {choice} and {choice}.
the story of a {hero} and a {hero} who {quest} in {setting}.
years later, the {hero} comes back to {setting} to {quest}.
he learns that {secret}, and decides to {quest}.
she works as a {hero} in {setting} until {trigger}.
""")
_PLOTLEX = {
    "padj": _w("""young, retired, lonely, ambitious, famous, troubled, widowed, brilliant, runaway, disgraced, shy,
        wealthy,
        homeless, veteran, ruthless, blind, orphaned, mysterious, elderly, divorced, failed, idealistic, stubborn"""),
    "hero": _w("""detective, teacher, soldier, journalist, nurse, thief, boxer, singer, lawyer, priest, scientist,
        painter, cowboy,
        spy, waitress, hitman, farmer, student, pilot, gangster, chef, widow, dancer, fisherman, writer, police
        officer, robot,
        princess, sailor, doctor, musician, taxi driver, professor, bank clerk, samurai, gambler, smuggler,
        photographer"""),
    "quest": _w("""find his missing sister, solve a series of murders, save the family farm, win a dance contest,
        rob a bank, expose
        a corrupt mayor, escape from prison, cross the desert, uncover a conspiracy, protect a witness, break an
        ancient curse,
        raise a child alone, prove an innocent man's case, stop a terrorist plot, win back an old love, rebuild a
        ruined
        village, steal a priceless painting, deliver a secret message, avenge a murdered brother, survive the
        winter, start a
        new life, find a hidden treasure, lead a group of refugees to safety, form a rock band, climb a deadly
        mountain"""),
    "deadline": _w("""the war begins, time runs out, the killer strikes again, sunrise, the ship sails, the truth
        is lost forever, the
        trial ends, it is too late, the storm arrives, the wedding, his enemies find him, the bomb explodes"""),
    "deadline2": _w("""war breaks out, the city burns, the wedding draws near, winter comes, the police close in,
        the election
        approaches, the river rises, the old king dies, the factory closes"""),
    "setting": _w("""a small town in {country}, 1920s {city}, a remote island, {city}, a boarding school, an
        abandoned mine, postwar
        {city}, a crowded hospital, a space station, a fishing village, the mountains of {country}, a seaside
        hotel, the
        suburbs of {city}, a traveling circus, a medieval castle, the near future, a desert town, a prison camp, rural
        {country}, a luxury train"""),
    "secret": _w("""her father is still alive, the mayor is hiding a crime, nobody can be trusted, the house is
        haunted, his best
        friend is a spy, the money is gone, they are brothers, the past cannot be changed, someone is watching
        them, an old
        enemy has returned, the killer is one of them, the treasure never existed"""),
    "trigger": _w("""her husband disappears, a stranger arrives, the bank is robbed, his wife leaves him, a body is
        found in the lake,
        the president is shot, a plane crashes in the jungle, the harvest fails, an old letter turns up, the village is
        attacked, a child goes missing, aliens land nearby"""),
    "choice": _w("love, duty, family, freedom, revenge, his career, money, the truth, loyalty, ambition, faith"),
    "num": _w("two, three, four, five, seven, a dozen"),
    "country": COUNTRY, "city": CITY,
}  # fmt: skip


def opinions(rng: random.Random, n: int) -> list[str]:
    """Reviews of films, books, food, things and services, and plot descriptions."""
    lexicons = []
    for words in _DOMAINS.values():
        lexicon: dict[str, list[str]] = {**_OLEX, **words, "items": [_plural(x) for x in words["item"]]}
        lexicon["items"] = [x.replace("pair of headphoneses", "headphones") for x in lexicon["items"]]
        lexicon["pos"] = words["pos"] * 4 + _POS
        lexicon["longpos"] = [x for x in _POS if len(x) > 7 and "-" not in x and x != "superior"]
        lexicon["neg"] = words["neg"] * 4 + _NEG
        lexicons.append(lexicon)
    plot = {**_PLOTLEX, "heroes": [_plural(x) for x in _PLOTLEX["hero"]]}

    def make() -> list[str]:
        if rng.random() < 0.16:
            text = _fill(rng, rng.choice(PLOTS), plot)
        else:
            lexicon = rng.choice(lexicons) if rng.random() < 0.6 else lexicons[0]
            text = _fill(rng, rng.choice(OPINIONS), lexicon)
        if not 4 <= len(text.split()) <= 27:
            return []
        if rng.random() < 0.35:
            return [_tokenised(text)]
        r = rng.random()
        return [text[:-1] + "!" if r < 0.06 and text.endswith(".") else _cap(text)]

    return [_cap(x) if x[-1] == "!" else x for x in _collect(n, make)]


# ------------------------------------------------------------------------------------------------------ headlines

HEADLINES = _lines("""
[Stocks|Shares|Asian stocks|European shares|Wall Street stocks|Bond prices] {move} [as|after] {marketnews}
[Oil|Gold|Copper|Wheat|Coffee|Silver|Gas] prices {move} [on|amid] {fear}
{currency} {moves} against {currency}[ on {fear}| after rate decision|]
{company} {companydoes}
{company} [to cut|cuts] {bignum} jobs [in {country}|worldwide|]
{company} [to buy|in talks to buy|bids for|sells stake in] {company} [for ${money} billion|unit|]
{company} [shares|stock] {move} [after profit warning|on strong sales|on takeover talk|as {company} sues]
{company} [profit|revenue|sales] {moves} {percent} percent
{country} [economy|inflation|unemployment|exports|output] {moves} [to {percent} percent|in {month}|more than expected]
{country} central bank [raises|cuts|holds] interest rates
At least {num} [killed|dead|injured] in {place} {disaster}
{num} [killed|dead|injured|missing] [in|after] {disaster} in {place}
{disaster} kills {num} in {place}
{Disaster} [hits|strikes|rocks|shakes] {place}, {num} [dead|feared dead|hurt]
Death toll in {country} {disaster} [rises to|reaches|passes] {bignum}
[Thousands|Hundreds] flee as {disaster} [nears|hits|threatens] {place}
Rescuers search for survivors after {place} {disaster}
[Gunmen|Militants|Rebels|Police|Troops] kill {num} in {place}
Car bomb kills {num} in {city}
[Suicide bomber|Gunmen|Rebels] [attack|storm|target] [police station|market|army base|embassy|hotel] in {city}
{country} [troops|police|forces] [arrest|kill|capture] {num} [suspects|militants|protesters|smugglers]
{country} [and|,] {country} [agree on|sign|resume|break off] [trade deal|peace talks|border pact|arms treaty|gas deal]
{country} [rejects|welcomes|condemns|backs] {country} {proposal}
{country} president [visits|arrives in|meets leaders in|cancels trip to] {place}
{country} [prime minister|foreign minister|opposition leader|defense minister] {politicsdoes}
{country} [parliament|court|government|senate] [approves|rejects|delays|debates] {bill}
{country} [votes|heads to polls|goes to polls] [amid {fear}|in tight election|for new president|]
{org} [calls for|urges|demands] [{goal}|{goal} in {country}]
{org} [warns of|concerned about] [{fear}|famine in {country}|violence in {country}]
[Protesters|Students|Workers|Teachers|Farmers|Doctors] [clash with police|march|strike|rally] in {city} over {bill}
Former {nation} [president|minister|general] [jailed|arrested|dies at 8{digit}|on trial] [in {city}|for corruption|]
{last} [wins|loses|quits|leads] [{race}|{race} in {city}]
{last} beats {last} to [win|reach final of] {tournament}
{country} beat {country} {score} in {sportevent}
{teamcity} [beat|edge|crush|stun|sink] {teamcity} {score}
{nation} [striker|coach|captain|goalkeeper|sprinter|swimmer] [banned|injured|retires|fined|signs new \
contract|breaks record]
{country} [win|lose|claim] [gold|silver|bronze|title] in {sport}
{city} to host [World Cup final|Olympic Games|climate summit|trade talks|film festival]
Scientists [find|discover|develop|unveil] {science}
Study: {studyclaim}
[NASA|European Space Agency|Russia|China|India] [launches|delays|loses contact with] [satellite|space probe|Mars \
mission]
{company} [unveils|launches|recalls|delays] [new {gadget}|{bignum} {gadgets}|{gadget}]
New {virus} [spreads|worries users|threatens computers|found] in {country}
{country} [bans|restricts|taxes|legalizes] {banned}
{nation} {job} [arrested|charged|freed|found dead|wins prize] in {city}
{city} [mayor|police chief|airport|subway|museum] [resigns|closes|reopens|under fire] [after|amid] {fear}
[Judge|Court|Jury] [clears|convicts|sentences|frees] [ex-mayor|banker|singer|soldier|doctor] in \
[fraud|murder|bribery] case
[Pope|Queen|Dalai Lama|UN chief|EU chief] [visits|to visit|urges peace in|prays for] {country}
Plane [with {num} on board |]crashes in {country}
Ferry sinks off {country}, {num} missing
{nation} hostages freed [in {country}|after {num} days]
Heavy [snow|rain|fog|wind] [closes|disrupts|delays] [airports|schools|trains|roads] [in|across] {country}
Why {country} [matters|is worried|can't stop {fear}]
[What|Five things] to know about [the {country} election|{company}|{science}]
""")
LEADS = _lines("""
{City} ({src}) - {country}'s government said on {day} it would [cut|raise|review] {budget}, a move that \
[analysts|critics|\
union leaders] say could [hurt growth|help exporters|fuel inflation|cost jobs].
{City} ({src}) - At least {num} people were killed and {num} others [injured|wounded|missing] when {incident} in \
{place} on \
{day}, [police|officials|witnesses|hospital sources] said.
{src} - {company} said {day} its quarterly [profit|earnings|loss|revenue] [rose|fell|climbed|dropped] {percent} \
percent, \
[beating|missing|matching] analysts' forecasts, as [demand for its {gadgets}|sales in {country}|costs|competition] \
[grew|slowed].
{City} - {first} {last} scored {num} points [as|and] {teamcity} [beat|defeated|rallied past] {teamcity} on {day} \
night to \
[take a lead in the series|end a losing streak|clinch a playoff spot|stay unbeaten at home].
{first} {last} [won|defended|claimed] the {tournament} title on {day} with a \
[straight-sets|narrow|surprise|comfortable] \
victory over {nation} {first} {last} in {city}.
Researchers in {city} have [developed|discovered|identified] {found}, according to a study [published on {day}|to \
be \
published this month|released in {month}].
{company} [plans to|said it will|is expected to] [release|sell|introduce] a new {gadget} [in {month}|next year|by \
the end of \
the year], stepping up its [rivalry|competition|battle] with {company}.
[U.S. stocks|Asian shares|European markets|Oil prices|The dollar] [rose|fell|slipped|edged higher] on {day} as \
[investors \
worried about|traders weighed] {fear}[ and awaited a report on jobs| ahead of a meeting of central bankers|].
The {theorg} [urged|asked|called on] {country} and {country} on {day} to [end|resume|respect] [the fighting|peace \
talks|the \
cease-fire|the embargo], warning of {fear}.
{country}'s [president|prime minister] {first} {last} [resigned|survived a no-confidence vote|won a second \
term|fired his \
cabinet] on {day} [after weeks of protests|amid a corruption scandal|following a bitter campaign].
{nation} {job} {first} {last}, who [was held hostage|had been missing|was jailed] for {num} days in {country}, \
[arrived home|\
was freed|was found alive] on {day}, [his family|an official|the embassy] said.
A [federal|high|state] court [ruled|decided] {day} that {company} [must pay ${money} million to|did not infringe a \
patent held \
by|can go ahead with its purchase of] {company}.
[Engineers|Scientists|Officials] at [NASA|the European Space Agency] said a [probe|rover|telescope|satellite] had \
[sent back \
new images of|detected signs of water on|entered orbit around] {planet}.
{country} [came from behind to beat|beat|defeated] {country} {score} in a {sportevent} match in \
{city} on {day}.
A new {malware} that [steals passwords|spreads by e-mail|attacks unpatched computers] [has infected|may have reached] \
more than \
{bignum} machines, security firms said on {day}.
""")
_HLEX: dict[str, list[str]] = {
    "country": COUNTRY, "city": CITY, "teamcity": CITY, "place": COUNTRY + CITY, "nation": NATION, "company": COMPANY,
    "month": MONTH, "day": DAY, "num": NUMBER, "first": FIRST, "last": LAST, "sport": SPORT, "job": _QLEX["job"],
    "City": [c.upper() for c in CITY], "planet": _QLEX["planet"],
    "src": _w("Reuters, AP, AFP, Reuters, Bloomberg, BBC, Xinhua, CNN"),
    "score": [f"{a}-{b}" for a in range(1, 7) for b in range(a)] + ["2-1", "1-0", "3-2"],
    "digit": [str(i) for i in range(7)],
    "bignum": _w("200, 300, 450, 500, 800, 1000, 1200, 1500, 2000, 3000, 5000, 8000, 10000, 20000, 50000, 100000"),
    "percent": _w("1.2, 2, 2.5, 3, 3.4, 4, 5, 6, 7.1, 8, 9, 10, 12, 15, 18, 20, 24, 30, 41"),
    "money": _w("1.5, 2, 3, 4.2, 5, 6, 7.5, 8, 10, 12, 15, 19, 20, 35, 60"),
    "move": _w("rise, fall, slip, jump, tumble, rally, edge higher, climb, drop, slide, surge, rebound, hold steady"),
    "moves": _w("rises, falls, slips, jumps, climbs, drops, slides, grows, gains, edges up, hits record high"),
    "marketnews": _w("""oil prices rise, oil prices fall, jobs data disappoints, banks report losses, tech earnings
        beat forecasts, trade
        fears ease, Fed raises rates, inflation slows, dollar weakens, investors await data, {company} warns on
        profit, retail
        sales jump, {country} talks stall, factory orders shrink, consumer confidence drops, bond yields climb"""),
    "fear": _w("""supply worries, trade tensions, inflation fears, rising debt, security concerns, growing
        protests, flood warnings, weak
        demand, bird flu fears, political turmoil, a refugee crisis, bomb threats, slower growth, corruption
        claims, fuel
        shortages, strike threats, new sanctions, food shortages, rising violence, job losses, a cyber attack,
        power cuts"""),
    "currency": _w("Dollar, Euro, Yen, Pound, Rupee, Yuan, Peso, Ruble, Swiss franc, Won, Lira"),
    "companydoes": _w("""opens plant in {country}, names new chief executive, posts record loss, recalls {gadgets},
        faces lawsuit in
        {country}, settles patent suit with {company}, drops merger plan, raises outlook, fined over price fixing,
        delays share
        sale, apologizes for data breach, to close {city} factory, wins contract in {country}, reports higher
        earnings"""),
    "disaster": _w("""earthquake, blast, flood, bus crash, train crash, fire, landslide, hurricane, plane crash,
        typhoon, mine explosion,
        attack, shooting, bombing, tornado, avalanche, stampede, heat wave, building collapse, storm, cholera
        outbreak"""),
    "proposal": _w("""peace plan, trade offer, nuclear test, missile launch, border plan, aid offer, travel ban,
            arms sale, apology"""),
    "politicsdoes": _w("""resigns, wins confidence vote, calls early election, denies corruption claims, vows
        reform, survives attack,
        to step down, meets {country} envoy, rejects calls to quit, in hospital after fall, defends {bill}, visits
        {country}"""),
    "bill": _w("""budget, tax reform, pension plan, immigration bill, new constitution, school cuts, fuel tax,
        labor law, smoking ban,
        gay marriage law, health bill, austerity plan, election law, gun law, wage freeze, privacy bill, water
        charges"""),
    "theorg": _w("United Nations, European Union, World Bank, Red Cross, African Union, Arab League, Security Council"),
    "org": _w("""UN, EU, NATO, World Bank, IMF, Red Cross, WHO, African Union, Arab League, Amnesty International,
        OPEC, Greenpeace,
        UNICEF, Human Rights Watch"""),
    "goal": _w("""cease-fire, inquiry, more aid, free elections, sanctions, debt relief, talks, action on climate,
            reform, restraint"""),
    "race": _w("""election, primary, race for mayor, court case, leadership vote, stage, opening round, title
            fight, marathon"""),
    "tournament": _w("""Australian Open, French Open, Italian Open, World Cup, Masters, Grand Prix, Davis Cup,
            Asian Games, Open"""),
    "sportevent": _w("""World Cup qualifier, friendly, semi-final, opening, hockey, rugby, quarter-final, cricket,
            group stage"""),
    "found": _w("""a gene linked to {disease}, a vaccine for {disease}, a new species of frog, a drug that
        slows {disease}, the
        remains of a lost city in {country}, a planet twice the size of Earth, a blood test for {disease}, a
            cheaper way to make
        solar cells, a robot that can climb walls, a material stronger than steel, the oldest known human
            footprints, bacteria
        that digest plastic, a link between diet and {disease}, a faster kind of computer memory, the bones of
            a giant dinosaur"""),
    "science": _w("""new planet, water on {planet}, ancient skull in {country}, gene linked to {disease}, vaccine
        for {disease}, new frog
        species, oldest human footprints, cheaper solar cell, faster computer chip, drug that slows {disease}, giant
        dinosaur bones in {country}, robot that can smell, battery that charges in minutes, rare bird in {country},
        lost city
        in {country}, plastic-eating bacteria, blood test for {disease}, origin of cosmic rays, shipwreck off
        {country}"""),
    "studyclaim": _w("""{food} may help prevent {disease}, one in five children overweight, sleep loss linked to
        {disease}, Arctic ice melting
        faster than expected, {animals} can count, exercise lowers risk of {disease}, coffee drinkers live longer,
        air pollution
        harms memory, {animals} disappearing from {country}, teenagers spend six hours a day online, women paid
        less than men"""),
    "gadget": _w("""phone, laptop, tablet, electric car, game console, search engine, camera, music player, web
        browser, smart watch,
        operating system, chip, television, router, server, mobile payment service"""),
    "gadgets": _w("""phones, laptops, cars, batteries, game consoles, cameras, tablets, trucks, chips, televisions,
            servers"""),
    "malware": _w("computer worm, computer virus, Trojan, e-mail worm, spyware program, mobile phone virus"),
    "virus": _w("worm, computer virus, flu strain, phishing scam, Trojan, mosquito-borne virus"),
    "banned": _w("""smoking in bars, plastic bags, online gambling, diesel cars, foreign adoptions, beef imports,
        drone flights, fur
        farming, mobile phones in schools, cannabis, whale hunting, sugary drinks, night flights, street protests"""),
    "budget": _w("""fuel subsidies, interest rates, military spending, income tax, oil production, pensions, farm
            aid, import duties"""),
    "incident": _w("""a bus plunged into a ravine, a car bomb exploded, a ferry capsized, a fire swept through a
        hotel, gunmen opened fire
        in a market, a train derailed, a bridge collapsed, an earthquake struck, a landslide buried a village, a
        plane crashed
        on landing, floods hit a village, a gas pipeline blew up"""),
    "disease": DISEASE, "food": FOOD,
}  # fmt: skip


def headlines(rng: random.Random, n: int) -> list[str]:
    """News headlines and short leads."""
    lexicon = {**_HLEX, "animals": [_plural(a) for a in ANIMAL], "Disaster": [_cap(d) for d in _HLEX["disaster"]]}

    def make() -> list[str]:
        if rng.random() < 0.3:
            return [_cap(_fill(rng, rng.choice(LEADS), lexicon)).replace(" ,", ",")]
        text = _cap(_fill(rng, rng.choice(HEADLINES), lexicon)).replace(" ,", ",")
        r = rng.random()
        if r < 0.1:
            return [f"{text} ({rng.choice(_HLEX['src'])})"]
        if r < 0.18:
            return [
                " ".join(
                    w if w in {"in", "of", "on", "to", "as", "for", "a", "the", "and"} else _cap(w)
                    for w in text.split()
                )
            ]
        return [text]

    return _collect(n, make)


# ------------------------------------------------------------------------------------------------------------ main


def all_sentences(wikipedia: Sequence[str]) -> list[str]:
    """Return the sentences of all kinds, each once, shuffled."""
    rng = random.Random(0)
    kinds = [
        questions(rng, wikipedia, 90_000),
        scenes(rng, 80_000),
        opinions(rng, 40_000),
        headlines(rng, 20_000),
    ]
    everything = list(dict.fromkeys(text for texts in kinds for text in texts))
    rng.shuffle(everything)
    return everything


def main(wikipedia: str, out: str) -> None:
    """Write the sentences of all kinds."""
    with gzip.open(wikipedia, "rt", encoding="utf-8") as lines:
        made = all_sentences([line.strip() for line in lines])
    Path(out).write_text("\n".join(made) + "\n", encoding="utf-8")
    print(f"{len(made):,} sentences, {sum(len(t.split()) for t in made) / len(made):.1f} words on average")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
