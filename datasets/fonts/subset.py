"""Cut the committed fonts out of the full ones: `python -m datasets.fonts.subset FOLDER_WITH_THE_FULL_FONTS`.

The full fonts come from the Debian packages fonts-dejavu (2.37) and fonts-nanum (20200506). This needs to be run again
only when a sample needs a character that the committed subsets lack. The Korean subset carries another name, because
its licence reserves the name of the original for unmodified versions.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent
LATIN = [
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),
    *map(ord, "–—‘’“”„•…‰′″€₂₃₄µΩ→←↑↓≤≥≠≈±×÷−√∑Δσλαβγηρ□☐✓⁰¹²³⁴⁵⁶⁷⁸⁹°†‡§¶"),
]
HANGUL = [ord(bytes([lead, trail]).decode("euc_kr")) for lead in range(0xB0, 0xC9) for trail in range(0xA1, 0xFF)]
KOREAN = [*range(0x20, 0x7F), 0xA0, *HANGUL, *map(ord, "–—‘’“”•…·※「」『』《》〈〉~℃°→≤≥×±①②③④⑤⑥⑦⑧⑨⑩□■○●△▲▽▼ㆍ")]
FONTS = {
    "DejaVuSansCondensed": ("DejaVuSansCondensed.ttf", LATIN, ""),
    "DejaVuSansCondensed-Bold": ("DejaVuSansCondensed-Bold.ttf", LATIN, ""),
    "DejaVuSerifCondensed": ("DejaVuSerifCondensed.ttf", LATIN, ""),
    "DejaVuSerifCondensed-Bold": ("DejaVuSerifCondensed-Bold.ttf", LATIN, ""),
    "SampleGothicKR": ("NanumGothic.ttf", KOREAN, "Sample Gothic KR"),
    "SampleGothicKR-Bold": ("NanumGothicBold.ttf", KOREAN, "Sample Gothic KR Bold"),
}


def subset(full: Path, target: Path, characters: list[int], name: str) -> None:
    """Write the glyphs of these characters to target, without hints and layout tables; the name replaces the font's own."""
    font = TTFont(full, recalcTimestamp=False)
    options = Options(hinting=False, layout_features=[], name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14], notdef_outline=True)
    options.drop_tables += ["FFTM", "MATH", "GDEF", "GPOS", "GSUB", "kern", "TSI0", "TSI1", "TSI2", "TSI3", "TSI5"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    if name:
        for record in font["name"].names:
            if record.nameID in (1, 3, 4, 6):
                record.string = name.replace(" ", "") if record.nameID == 6 else name
    font.save(target)


def main() -> None:
    """Subset every font from the folder named on the command line."""
    folder = Path(sys.argv[1])
    for stem, (file, characters, name) in FONTS.items():
        subset(next(folder.rglob(file)), HERE / f"{stem}.ttf", characters, name)


if __name__ == "__main__":
    main()
