"""Annex III: measuring instruments; one section for each, with figures of its own."""

from __future__ import annotations

from . import table

# name, principle, measures, range, accuracy %, drift %/h, rise time s, calibration days, interference, limit of it, remark
INSTRUMENTS = [
    (
        "Analyzer for carbon monoxide",
        "non-dispersive infrared absorption",
        "carbon monoxide",
        "0 to 5,000 ppm",
        2.0,
        0.5,
        2.5,
        35,
        "water vapor",
        "50 ppm",
        "For concentrations below 50 ppm a second cell with a path of at least 300 mm is used.",
    ),
    (
        "Analyzer for carbon dioxide",
        "non-dispersive infrared absorption",
        "carbon dioxide",
        "0 to 16 %",
        1.5,
        0.4,
        2.5,
        35,
        "water vapor",
        "0.05 %",
        "The zero gas contains less than 400 ppm of carbon dioxide.",
    ),
    (
        "Analyzer for nitrogen oxides",
        "chemiluminescence with a heated converter",
        "nitrogen oxides",
        "0 to 1,000 ppm",
        2.0,
        0.6,
        2.2,
        28,
        "ammonia",
        "2 ppm",
        "The efficiency of the converter is at least 98 % and is checked each month.",
    ),
    (
        "Analyzer for nitrogen dioxide",
        "ultraviolet resonance absorption",
        "nitrogen dioxide",
        "0 to 500 ppm",
        3.0,
        0.8,
        2.8,
        28,
        "sulfur dioxide",
        "3 ppm",
        "The cell is heated to 60 °C ± 2 °C, since cold walls adsorb the gas.",
    ),
    (
        "Analyzer for hydrocarbons",
        "flame ionization, heated line",
        "total hydrocarbons",
        "0 to 2,000 ppm C1",
        2.0,
        0.5,
        1.8,
        35,
        "oxygen",
        "1.5 %",
        "The response to methane lies between 1.00 and 1.15, to toluene between 0.90 and 1.10.",
    ),
    (
        "Analyzer for methane",
        "flame ionization with a non-methane cutter",
        "methane",
        "0 to 1,000 ppm",
        2.5,
        0.6,
        3.5,
        35,
        "ethane",
        "2 %",
        "The cutter burns at least 98 % of ethane and at most 15 % of methane.",
    ),
    (
        "Analyzer for ammonia",
        "laser diode spectrometry",
        "ammonia",
        "0 to 300 ppm",
        3.5,
        1.0,
        5.0,
        42,
        "water vapor",
        "1 ppm",
        "The line is heated to 185 °C ± 10 °C and is not longer than 4 m.",
    ),
    (
        "Analyzer for nitrous oxide",
        "quantum cascade laser",
        "nitrous oxide",
        "0 to 200 ppm",
        3.0,
        0.7,
        3.0,
        42,
        "carbon monoxide",
        "0.1 ppm",
        "Bags are analyzed within 30 minutes after the end of the phase.",
    ),
    (
        "Analyzer for formaldehyde",
        "Fourier transform infrared spectrometry",
        "formaldehyde",
        "0 to 50 ppm",
        4.0,
        1.2,
        5.0,
        60,
        "water vapor",
        "0.4 ppm",
        "The spectral resolution is 0.5 cm^−1^ or better.",
    ),
    (
        "Analyzer for oxygen",
        "paramagnetic cell",
        "oxygen",
        "0 to 25 %",
        1.0,
        0.3,
        4.0,
        60,
        "nitric oxide",
        "0.1 %",
        "Results are used for plausibility checks alone.",
    ),
    (
        "Particle number counter",
        "condensation of butanol",
        "solid particles from 10 nm",
        "1 to 50,000 per cm³",
        10.0,
        2.0,
        5.0,
        365,
        "coincidence",
        "10 %",
        "The counting efficiency is 65 % ± 15 % at 10 nm and above 90 % at 15 nm.",
    ),
    (
        "Volatile particle remover",
        "dilution and evaporation at 350 °C",
        "removal of droplets",
        "dilution 10 to 3,000",
        5.0,
        1.5,
        8.0,
        180,
        "tetracontane",
        "0.1 %",
        "At least 99.9 % of tetracontane particles of 30 nm are removed.",
    ),
    (
        "Particulate sampler",
        "filtration on coated glass fiber",
        "particulate mass",
        "20 to 105 cm/s",
        2.5,
        1.0,
        0.0,
        180,
        "static charge",
        "2 µg",
        "The filter is kept at 47 °C ± 5 °C and is changed after each cycle.",
    ),
    (
        "Microbalance",
        "electromagnetic compensation",
        "mass of filters",
        "0 to 200 mg",
        0.1,
        0.1,
        0.0,
        90,
        "humidity",
        "1 µg",
        "The weighing room is kept at 22 °C ± 1 °C and a dew point of 9.5 °C ± 1 °C.",
    ),
    (
        "Constant volume sampler",
        "critical flow venturi",
        "flow of diluted exhaust",
        "3 to 30 m³/min",
        0.5,
        0.2,
        1.0,
        365,
        "pulsation",
        "0.3 %",
        "Injection of a known mass of propane each week gives 98 % to 102 %.",
    ),
    (
        "Exhaust flow meter",
        "differential pressure",
        "flow of raw exhaust",
        "0 to 1,500 kg/h",
        2.0,
        1.0,
        1.0,
        365,
        "pulsation",
        "2 %",
        "It is mounted with a straight inlet of four diameters, at least 150 mm.",
    ),
    (
        "Fuel flow meter",
        "Coriolis force",
        "mass of fuel",
        "0.1 to 60 kg/h",
        0.3,
        0.1,
        1.0,
        365,
        "vapor bubbles",
        "0.5 %",
        "The return line is cooled to the temperature of the supply ± 3 °C.",
    ),
    (
        "Chassis dynamometer",
        "electric machine with load cell",
        "force at the roller",
        "0 to 8,000 N",
        0.1,
        0.1,
        0.1,
        30,
        "bearing friction",
        "5 N",
        "It is warmed up for at least 30 minutes at 80 km/h.",
    ),
    (
        "Engine dynamometer",
        "asynchronous machine",
        "torque at the shaft",
        "−500 to 3,000 N·m",
        1.0,
        0.2,
        0.05,
        30,
        "temperature of the flange",
        "0.5 %",
        "Torque is controlled at a rate of at least 5 Hz and recorded at 10 Hz.",
    ),
    (
        "Speed sensor",
        "optical encoder",
        "speed of the roller",
        "0 to 250 km/h",
        0.1,
        0.0,
        0.05,
        365,
        "slip",
        "0.2 %",
        "The encoder gives at least 1,024 pulses a turn.",
    ),
    (
        "Temperature sensor",
        "platinum resistor",
        "temperature of gas and coolant",
        "−40 to 1,000 °C",
        0.4,
        0.1,
        3.0,
        365,
        "radiation",
        "1 K",
        "Sensors in raw exhaust are shielded above 500 °C.",
    ),
    (
        "Pressure sensor",
        "piezoresistive bridge",
        "ambient and line pressure",
        "80 to 110 kPa",
        0.2,
        0.1,
        0.1,
        365,
        "vibration",
        "0.05 kPa",
        "Ambient pressure is taken outside of the cell.",
    ),
    (
        "Humidity sensor",
        "chilled mirror",
        "dew point of intake air",
        "−20 to 40 °C",
        0.5,
        0.2,
        60.0,
        180,
        "dust",
        "0.3 K",
        "The mirror is cleaned each week, and after any smoke alarm.",
    ),
    (
        "Current and voltage meter",
        "Hall sensor and divider",
        "energy of the traction battery",
        "−500 to 500 A",
        0.5,
        0.2,
        0.02,
        365,
        "stray field",
        "0.3 A",
        "The zero is set after 10 minutes without current, far from cables.",
    ),
    (
        "Position receiver",
        "satellite navigation",
        "speed and altitude on the road",
        "0 to 250 km/h",
        1.0,
        0.0,
        1.0,
        730,
        "shadowing in tunnels",
        "3 s",
        "In tunnels of more than 150 m the speed of the control unit is used.",
    ),
    (
        "Opacimeter",
        "extinction of green light",
        "opacity of diesel smoke",
        "0 to 9.99 1/m",
        2.0,
        0.5,
        0.9,
        180,
        "ambient light",
        "0.02 1/m",
        "The effective path is 0.430 m; it is stated on the plate of the instrument.",
    ),
]

OPENINGS = [
    "The instrument works by {principle} and measures {measures} over a range of {range}.",
    "For {measures} an instrument is used that works by {principle}. Its range is {range}.",
    "Principle: {principle}. The range of {range} is covered without switching the measuring cell.",
    "{Measures} may be measured only by {principle}; the instrument covers {range}.",
]
ACCURACY = [
    "The deviation from the reference value shall not exceed ± {accuracy} % of the reading or ± {full} % of full scale, whichever is larger.",
    "Accuracy is ± {accuracy} % of the reading; below a tenth of the range ± {full} % of full scale suffices.",
    "Within the calibrated range the error stays below {accuracy} % of the reading. At the lower end {full} % of full scale is accepted.",
]
DRIFT = [
    "Zero and span are checked before and after each test. A drift of more than {drift} % of full scale in one hour voids the test.",
    "Drift is limited to {drift} % of full scale an hour. Larger drift between two checks makes the tests in between invalid.",
    "Between two checks of zero and span, which are not more than four hours apart, the drift stays below {drift} % of full scale an hour.",
]
CALIBRATION = [
    "It is calibrated every {days} days with at least {points} points that are spread evenly over the range.",
    "Calibration with {points} points takes place every {days} days, and after any repair that opens the measuring cell.",
    "Not later than {days} days after the last calibration a new one with {points} points is made; the line is accepted when no point deviates by more than {accuracy} %.",
]
INTERFERENCE = [
    "Interference by {other} shall not exceed {limit}.",
    "The effect of {other} is determined once a year and stays below {limit}.",
    "{Other} disturbs the measurement: its effect, found at the highest level that occurs in the test, is at most {limit}.",
]


def annex() -> str:
    """The whole annex in markup."""
    parts = [
        "\n# Annex III Measuring instruments\n\n## 1. General requirements\n\n"
        "1.1. An instrument may be used when it meets the requirements of its section below and those of this section. A technical service may use another principle once it has shown on at least seven vehicles, each tested three times, that the results do not differ by more than the accuracy given.\n\n"
        "1.2. Linearity is checked with at least ten values. The slope of the regression lies between 0.98 and 1.02, the coefficient of determination is at least 0.998, and the intercept is not larger than 0.5 % of full scale.\n\n"
        "1.3. Calibration gases are traceable to national standards. The uncertainty of their concentration is not larger than 1 %, that of gas dividers 2 %. A bottle is not used below a pressure of 1 MPa or after the date printed on it.\n\n"
        "1.4. The delay between probe and instrument is determined at least every 35 days with a step of span gas, and signals are shifted accordingly before masses are calculated.\n\n"
        "1.5. A logbook is kept for each instrument. It names the person, the day, the gas bottles, the values before and after adjustment, and the firmware. Entries are kept for ten years.\n\n"
        "## 2. Instruments\n"
    ]
    summary = []
    for n, (name, principle, measures, span, accuracy, drift, rise, days, other, limit, remark) in enumerate(
        INSTRUMENTS
    ):
        values = {
            "principle": principle, "measures": measures, "Measures": measures.capitalize(), "range": span, "accuracy": accuracy, "full": round(accuracy / 4, 2),
            "drift": drift, "days": days, "points": 5 + n % 4, "other": other, "Other": other.capitalize(), "limit": limit,
        }  # fmt: skip
        sentences = [OPENINGS[n % 4], ACCURACY[n % 3], remark]
        parts.append(
            f"\n### 2.{n + 1}. {name}\n\n" + " ".join(s.format(**values) for s in sentences[:2]) + f" {remark}\n"
        )
        second = [DRIFT[(n + 1) % 3]] if drift else []
        if rise:
            second.append(f"The rise time from 10 % to 90 % is not longer than {rise} s.")
        second += [CALIBRATION[(n + 2) % 3], INTERFERENCE[n % 3]]
        parts.append(" ".join(s.format(**values) for s in second) + "\n")
        summary.append([f"2.{n + 1}", name, span, f"± {accuracy} %", f"{rise}" if rise else "–", str(days)])
    parts.append(
        "\n## 3. Summary\n\n3.1. Table III.1 sums up the requirements. Where it differs from a section above, the section applies.\n"
    )
    parts.append(
        table(
            "Table III.1. Instruments",
            [
                ["Section", "Instrument", "Range", "Accuracy", "Rise time", "Calibration"],
                ["^", "^", "^", "^", "s", "days"],
            ],
            summary,
            "18,44,37,20,18,26",
            "lllrrr",
        )
    )
    return "\n".join(parts)
