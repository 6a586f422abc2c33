"""What a text speaks of: its words without grammar, question words and bare numbers, in several languages."""

from __future__ import annotations

import re
from functools import lru_cache

_STEM = 5
SAYS_NOTHING = frozenset(
    re.findall(
        r"\w+",
        """
        a an the i we you he she it they me us him her them my our your his its their this that these those one ones
        is are am was were be been being do does did done have has had having will would shall should can could may
        might must ought need not no yes and or but if so then than as at by for from in into of on off onto out over to
        up with without about after again all also any both each else ever every few how many much more most less least
        often long far soon early late old high big fast there here what when where which who whom whose why while
        until till since because too very just only now please tell know still really exactly long same such other
        another some get gets got happen happens apply applies mean means let s t re ve ll d m don doesn isn aren
        come comes go goes make makes want wants
        along sometimes always never usually okay ok hello hi thanks thank way thing things case
        ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch ihnen mein meine meinen meinem meiner dein deine
        sein seine ihre ihren ihrem ihrer unser unsere der die das den dem des ein eine einen einem einer eines kein
        keine dies diese dieser dieses diesen diesem jene ist sind war waren bin bist wird werden wurde kann darf muss
        soll sollte können dürfen müssen sollen könnte hat habe haben hatte was wer wen wem wessen wann wo wie wieso
        warum welche welcher welches welchen welchem wohin woher wie viel viele vielen lange lang oft hoch und oder aber
        denn auch noch nur schon nicht so sehr mehr dann da dort hier bei bis mit von vom zu zum zur für auf an am im in
        aus nach vor um über unter gegen ohne durch als wenn ob dass man mal bitte jetzt gilt gelten geht gibt macht
        je tu il elle on nous vous ils elles me te se lui leur le la les un une des du de d l c j m n s t qu y en à au
        aux ce cet cette ces ça cela mon ma mes ton ta tes son sa ses notre nos votre vos est sont suis es sommes êtes
        était être ai as a avons avez ont avoir fait faire dois doit devons devez doivent peux peut puis pouvons pouvez
        peuvent faut qui que quoi quel quelle quels quelles quand où comment combien pourquoi et ou mais donc si ne pas
        plus moins aussi alors avec sans pour par dans sur sous avant après entre chez jusque jusqu encore même autre
        yo tú él ella usted nosotros ellos ellas lo los las el mi mis su sus nuestro nuestra este esta esto ese esa eso
        es son soy está están estoy era ser estar he ha han hay haber tengo tiene tienen puedo puede pueden debo debe
        deben hago hace hacer quién quiénes qué cuál cuáles cuándo dónde cómo cuánto cuánta cuántos cuántas por y o u
        pero si no sí más menos también entonces con sin para en a al del desde hasta antes después entre sobre ya muy
        tiempo mismo misma otro otra le les un uno una unos unas tan tanto cada algo
        """,
    )
)
_SAYS_NOTHING_KO = frozenset(
    re.findall(
        r"\w+",
        """
        언제 어디 어떻 얼마 며칠 무엇 무슨 어떤 누가 누구 하루 경우 그럼 그러 그런 그리 그건 그게 그것 그때 이건 이것
        이때 저는 제가 우리 혹시 그냥 다시 모두 정도 있나 없나 되나 하나 해야 하면 되면 안되 같은 어느 몇일 몇번
        다른 아니 또는 다음
        """,
    )
)
_PARTICLES = re.compile(
    r"(?:입니까|입니다|인가요|인데요|이라면|라면|이라|하려면|하나요|되나요|하는지|합니까|됩니까|한가요"
    r"|할까요|될까요|하면|되면|해야|해도|하고|에서는|에서도|에서|에게서|에게|으로는|으로|까지는|까지"
    r"|부터|마다|이나|한테|보다|처럼|에는|에도|과는|와는|은요|는요|면요|도요|은|는|이|가|을|를|의|에|로|와|과|도|만|요)$"
)
_SAYS_NOTHING_JA = frozenset(
    re.findall(
        r"\w+",
        """
        何 誰 場合 時 日 円 回 時間 人 方 以内 以上 以下 前 後 必要 可能 何日 何時 何回 何人 例 他 今 私
        """,
    )
)
_KOREAN = re.compile("[가-힣]+")
_JAPANESE = re.compile("[一-鿿々]+|[ァ-ヴー]{2,}")
_EAST = re.compile("[\u3040-\u9fff\uac00-\ud7ff]")
_LATIN = re.compile(r"[^\W_]+")


@lru_cache(maxsize=16384)
def subjects(text: str) -> frozenset[str]:
    """What a text speaks of: stems of its words that are no grammar, no question word and no bare number."""
    found = set()
    for word in _LATIN.findall(text.casefold()):
        if not _EAST.search(word) and word not in SAYS_NOTHING and len(word) > 1 and not word.isdigit():
            found.add(word[:_STEM])
    for word in _KOREAN.findall(text):
        root = _PARTICLES.sub("", word)
        if len(root) > 1 and root[:2] not in _SAYS_NOTHING_KO and word[:2] not in _SAYS_NOTHING_KO:
            found.add(root[:2])
    for run in _JAPANESE.findall(text):
        if run not in _SAYS_NOTHING_JA:
            found |= {run[i : i + 2] for i in range(max(1, len(run) - 1))}
    return frozenset(found)
