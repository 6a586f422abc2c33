"""Units of measure, time and money in several languages: which word or sign means which, and in which base unit.

A unit is its base unit and the factor to it. Days and shorter are seconds, months and longer are months, because a
month is no fixed number of days; working days are a unit of their own. Signs are told apart by case ("mg", "Mg").
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple


class Unit(NamedTuple):
    """A base unit and the factor to it: an hour is ("s", 3600)."""

    base: str
    factor: Fraction = Fraction(1)


NONE = Unit("")
_DAY = 86400

# base unit -> factor -> signs, told apart by case
_SIGNS: dict[str, dict[str, str]] = {
    "%": {"1": "% ％", "1/10": "‰"},
    "m": {"1": "m", "1/1000": "mm", "1/100": "cm", "1/10": "dm", "1000": "km", "1/1000000": "µm μm um",
          "1/1000000000": "nm", "381/1250": "ft", "201168/125": "mi"},
    "m2": {"1": "m² m^2 m2", "1/10000": "cm² cm^2", "1000000": "km² km^2", "10000": "ha"},
    "l": {"1": "l L dm³", "1/1000": "ml mL cm³ cm^3", "1/100": "cl", "1/10": "dl dL", "1000": "m³ m^3", "100": "hl",
          "1/1000000": "µl μl µL μL"},
    "g": {"1": "g", "1/1000": "mg", "1/1000000": "µg μg ug mcg", "1/1000000000": "ng", "1000": "kg", "1000000": "t",
          "45359237/100000": "lb lbs", "45359237/1600000": "oz"},
    "s": {"1": "s", "1/1000": "ms", "60": "min", "3600": "h hr hrs", "86400": "d"},
    "J": {"1": "J", "1000": "kJ", "1000000": "MJ", "3600": "Wh", "3600000": "kWh", "3600000000": "MWh",
          "523/125": "cal", "4184": "kcal"},
    "W": {"1": "W", "1000": "kW", "1000000": "MW", "1000000000": "GW", "1/1000": "mW"},
    "V": {"1": "V", "1000": "kV", "1/1000": "mV"},
    "A": {"1": "A", "1/1000": "mA"},
    "Hz": {"1": "Hz", "1000": "kHz", "1000000": "MHz", "1000000000": "GHz"},
    "Pa": {"1": "Pa", "1000": "kPa", "1000000": "MPa", "100": "hPa mbar", "100000": "bar"},
    "N": {"1": "N", "1000": "kN"},
    "mol": {"1": "mol", "1/1000": "mmol", "1/1000000": "µmol μmol umol", "1/1000000000": "nmol"},
    "°C": {"1": "°C ℃"},
    "°F": {"1": "°F ℉"},
    "K": {"1": "K"},
    "B": {"1000": "kB KB", "1000000": "MB", "1000000000": "GB", "1000000000000": "TB"},
    "dB": {"1": "dB"},
    "ppm": {"1": "ppm", "1/1000": "ppb"},
    "IU": {"1": "IU"},
    "USD": {"1": "$ US$ USD"},
    "EUR": {"1": "€ EUR", "1/100": "ct"},
    "GBP": {"1": "£ GBP"},
    "JPY": {"1": "JPY"},
    "¥": {"1": "¥ ￥"},
    "CNY": {"1": "CNY RMB"},
    "KRW": {"1": "₩ KRW"},
    "INR": {"1": "₹ INR Rs Rs."},
    "CHF": {"1": "CHF Fr."},
    "AUD": {"1": "A$ AU$ AUD"},
    "CAD": {"1": "C$ CA$ CAD"},
    "HKD": {"1": "HK$ HKD"},
    "NZD": {"1": "NZ$ NZD"},
    "SGD": {"1": "S$ SGD"},
    "TWD": {"1": "NT$ TWD"},
    "BRL": {"1": "R$ BRL"},
    "MXN": {"1": "MXN"},
    "SEK": {"1": "SEK"},
    "NOK": {"1": "NOK"},
    "DKK": {"1": "DKK"},
    "PLN": {"1": "zł PLN"},
    "CZK": {"1": "Kč CZK"},
    "RUB": {"1": "₽ RUB"},
    "TRY": {"1": "₺ TRY"},
    "ILS": {"1": "₪ ILS"},
}  # fmt: skip

# base unit -> factor -> words, whatever their case
_WORDS: dict[str, dict[str, str]] = {
    "%": {"1": "percent per_cent pct prozent v.h. pour_cent por_ciento por_cento per_cento procent",
          "1/100": "basis_points basis_point bps"},
    "pp": {"1": "percentage_points percentage_point prozentpunkte prozentpunkten prozentpunkt"},
    "s": {
        "1": "second seconds sec secs sekunde sekunden seconde secondes segundo segundos secondo secondi",
        "60": "minute minutes mins minuten minuto minutos minuti",
        "3600": "hour hours stunde stunden std heure heures hora horas ora ore uur uren",
        "86400": "day days calendar_day calendar_days consecutive_days tag tage tagen tages kalendertag kalendertage "
                 "kalendertagen jour jours día días dia dias giorno giorni dag dagen",
        "604800": "week weeks woche wochen semaine semaines semana semanas settimana settimane weken",
        "1209600": "fortnight fortnights",
    },
    "workday": {"1": "working_day working_days business_day business_days workday workdays school_day school_days "
                     "weekday weekdays werktag werktage werktagen arbeitstag arbeitstage arbeitstagen schultage "
                     "schultagen jours_ouvrables jours_ouvrés jour_ouvrable días_hábiles dias_úteis "
                     "giorni_lavorativi werkdagen"},
    "month": {
        "1": "month months calendar_month calendar_months monat monate monaten monats mois mes meses mês mese mesi "
             "maand maanden",
        "3": "quarters trimester trimesters trimestre trimestres quartale quartalen",
        "12": "year years yrs yr jahr jahre jahren jahres an ans année années año años ano anos anno anni jaar",
        "120": "decade decades",
    },
    "m": {"1": "meter meters metre metres metern mètre mètres metro metros metri",
          "1000": "kilometer kilometers kilometre kilometres kilometern kilomètre kilomètres kilómetros chilometri",
          "1/100": "centimeter centimeters centimetre centimetres zentimeter zentimetern",
          "1/1000": "millimeter millimeters millimetre millimetres millimetern", "381/1250": "foot feet",
          "127/5000": "inch inches", "201168/125": "mile miles"},
    "g": {"1": "gram grams gramm grammes gramos grammi", "1000": "kilogram kilograms kilogramm kilo kilos",
          "1/1000": "milligram milligrams milligramm", "1/1000000": "microgram micrograms mikrogramm",
          "1000000": "tonne tonnes tonnen metric_tons toneladas tonnellate", "45359237/100000": "pound_weight"},
    "l": {"1": "liter liters litre litres litern litro litros litri",
          "1/1000": "milliliter milliliters millilitre millilitres"},
    "USD": {"1": "dollar dollars us_dollars us-dollar dólares dollari"},
    "EUR": {"1": "euro euros", "1/100": "céntimos centimes"},
    "¢": {"1/100": "cents cent"},
    "GBP": {"1": "pounds_sterling pound_sterling"},
    "JPY": {"1": "yen"},
    "CNY": {"1": "yuan renminbi"},
    "KRW": {"1": "won"},
    "CHF": {"1": "swiss_francs franken"},
    "INR": {"1": "rupees rupee"},
    "°C": {"1": "degrees_celsius degree_celsius grad_celsius degrés_celsius celsius"},
    "°F": {"1": "degrees_fahrenheit fahrenheit"},
    "W": {"1": "watt watts", "1000": "kilowatt kilowatts", "1000000": "megawatt megawatts"},
    "V": {"1": "volt volts"},
    "A": {"1": "ampere amperes"},
}  # fmt: skip

# after a number, without a space between words
_EAST: dict[str, dict[str, str]] = {
    "%": {"1": "퍼센트 프로 パーセント 百分点"},
    "s": {"1": "초 秒钟 秒鐘 秒間 秒", "60": "분간 분 分钟 分鐘 分間 分",
          "3600": "시간 時間 小时 小時 个小时 個小時 钟头",
          "86400": "일간 일 日間 日 天 하루", "604800": "주일 주간 주 週間 周 星期 个星期 礼拜 週"},
    "workday": {"1": "영업일 근무일 営業日 工作日 个工作日 個工作日 수업일"},
    "month": {"1": "개월간 개월 달 ヶ月間 か月間 ヶ月 か月 カ月 箇月 个月 個月",
              "12": "년간 년 年間 年", "3": "분기 四半期 季度"},
    "m": {"1": "미터 メートル 米", "1000": "킬로미터 キロメートル 公里 千米", "1/100": "센티미터 センチ 厘米"},
    "g": {"1": "그램 グラム 克", "1000": "킬로그램 キログラム 公斤 千克", "1/1000": "밀리그램 ミリグラム 毫克"},
    "l": {"1": "리터 リットル 升", "1/1000": "밀리리터 ミリリットル 毫升"},
    "USD": {"1": "달러 ドル 美元 美金"},
    "EUR": {"1": "유로 ユーロ 欧元 歐元"},
    "KRW": {"1": "원 韓元 韩元", "1000": "천원", "1000000": "백만원", "100000000": "억원"},
    "JPY": {"1": "円 엔 日元 日圓", "1000": "千円", "10000": "万円", "1000000": "百万円", "100000000": "億円"},
    "CNY": {"1": "元 人民币 위안 人民幣", "10000": "万元", "100000000": "亿元"},
    "°C": {"1": "섭씨 摄氏度 度"},
}  # fmt: skip

AMBIGUOUS = {"¥": frozenset({"JPY", "CNY"}), "¢": frozenset({"USD", "EUR", "AUD", "CAD"})}
MONEY = frozenset(
    [
        "USD",
        "EUR",
        "GBP",
        "JPY",
        "¥",
        "¢",
        "CNY",
        "KRW",
        "INR",
        "CHF",
        "AUD",
        "CAD",
        "HKD",
        "NZD",
        "SGD",
        "TWD",
        "BRL",
        "MXN",
        "SEK",
        "NOK",
        "DKK",
        "PLN",
        "CZK",
        "RUB",
        "TRY",
        "ILS",
    ]
)


def _table(groups: dict[str, dict[str, str]]) -> dict[str, Unit]:
    return {
        name.replace("_", " "): Unit(base, Fraction(factor))
        for base, factors in groups.items()
        for factor, names in factors.items()
        for name in names.split()
    }


SIGNS, WORDS, EAST = _table(_SIGNS), _table(_WORDS), _table(_EAST)
PREFIXES = {name: unit for name, unit in SIGNS.items() if unit.base in MONEY and name != "ct"}


def _any(names: dict[str, Unit]) -> str:
    return "|".join(re.escape(n).replace(r"\ ", r"\s+") for n in sorted(names, key=len, reverse=True))


PREFIX = rf"(?<![^\W\d_])(?:{_any(PREFIXES)})"
# "50%를", "5mgを": a letter of the East behind a sign is a word of its own
_AFTER = re.compile(
    rf"(?:{_any(SIGNS)})(?!(?![\u3040-\u9fff\uac00-\ud7ff])[^\W_])|(?i:(?:{_any(WORDS)})(?!\w))|(?:{_any(EAST)})"
)
PER = re.compile(r"\s?/\s?|\s+(?:per|for each|for every|je|pro|par)\s+")
_THOUSANDS = {"thousand": 3, "thousands": 3, "tsd": 3, "million": 6, "millions": 6, "mio": 6, "mn": 6, "billion": 9,
              "billions": 9, "mrd": 9, "bn": 9}  # fmt: skip
_SCALED = re.compile(rf"\s?(?P<scale>{'|'.join(_THOUSANDS)})\b", re.IGNORECASE)
_SCALED_BEFORE = re.compile(rf"\b(?P<scale>{'|'.join(_THOUSANDS)})\s(?:of\s)?\Z", re.IGNORECASE)


@lru_cache(maxsize=1024)
def named(name: str) -> Unit:
    """The unit of a sign or word as `unit_at` matches them."""
    plain = re.sub(r"\s+", " ", name)
    return SIGNS.get(plain) or WORDS.get(plain.casefold()) or EAST.get(plain) or NONE


_OPENING = re.compile(r"-(?=[^\W\d_])|\s{0,2}")
_OF = re.compile(r"d['’]|(?:de|di|of)\s", re.IGNORECASE)  # "1,5 million d'euros", "2 millones de euros"


def unit_at(text: str, start: int) -> tuple[Unit, int]:
    """The unit that stands at a place of a text, and where it ends; ("", start) when none does.

    "mg/km" is one unit of the base "g/m". An opening of white space, hyphen ("10-day") or bracket before it is skipped.
    """
    begin = _OPENING.match(text, start)
    place = begin.end() if begin else start
    of = _OF.match(text, place)
    found = _AFTER.match(text, of.end()) if of else _AFTER.match(text, place)
    if found is None:
        return NONE, start
    unit, end = named(found[0]), found.end()
    per = PER.match(text, end)
    if per and (below := _AFTER.match(text, per.end())):
        other = named(below[0])
        return Unit(f"{unit.base}/{other.base}", unit.factor / other.factor), below.end()
    return unit, end


_ONE_LETTER = re.compile(r"[A-Za-z]")


@lru_cache(maxsize=4096)
def units_in(text: str) -> frozenset[Unit]:
    """The units that the header of a column or the title of a table names: "NOx mg/km", "Fixed amount ($)".

    A single letter counts as a unit only in brackets or alone: "A" begins a sentence.
    """
    found: set[Unit] = set()
    place = 0
    while place < len(text):
        if text[place].isspace() or (place and text[place - 1].isalnum()):
            place += 1
            continue
        unit, end = unit_at(text, place)
        said = text[place:end]
        if unit.base and not (
            _ONE_LETTER.fullmatch(said) and text[max(0, place - 1) : place] not in ("(", "[") and said != text
        ):
            scale = _SCALED.match(text, end) or _SCALED_BEFORE.search(text, 0, place)
            factor = 10 ** _THOUSANDS[scale["scale"].casefold()] if scale and unit.base in MONEY else 1
            found.add(Unit(unit.base, unit.factor * factor))
        place = max(end, place + 1)
    return frozenset(found)


def agree(one: str, other: str) -> bool:
    """Whether two base units may be the same: equal, or one sign stands for both ("¥")."""
    if one == other:
        return True
    return other in AMBIGUOUS.get(one, ()) or one in AMBIGUOUS.get(other, ())
