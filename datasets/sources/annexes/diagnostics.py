"""Annex VII: on-board diagnostics, one section for each monitor, and the list of fault codes."""

from __future__ import annotations

from . import table

# name, what, threshold factor of the NOx, CO, NMHC limit, enabling, cycles, codes from, number of codes, special sentence
MONITORS = [
    (
        "Catalyst of spark-ignition engines",
        "a loss of oxygen storage",
        "1.75",
        "catalyst temperature above 480 °C and steady speed between 50 and 90 km/h for 40 s",
        2,
        420,
        6,
        "A catalyst that has lost 90 % of its storage is always reported, even when emissions stay below the threshold.",
    ),
    (
        "Oxidation catalyst of diesel engines",
        "a loss of light-off performance",
        "1.75",
        "post-injection active and exhaust mass flow above 80 kg/h",
        2,
        426,
        4,
        "The monitor compares the rise of temperature over the catalyst with a model.",
    ),
    (
        "Selective reduction with urea",
        "an efficiency below 70 %",
        "1.5",
        "temperature between 220 and 450 °C and stored ammonia above 0.3 g",
        1,
        2040,
        8,
        "Quality, level and consumption of the reagent are monitored independently of each other.",
    ),
    (
        "Nitrogen oxides adsorber",
        "a loss of storage capacity",
        "1.6",
        "at least 8 g of nitrogen oxides stored since the last rich phase",
        2,
        2048,
        4,
        "Desulfation is not counted as a failure.",
    ),
    (
        "Particulate filter of diesel engines",
        "cracks, melting or removal",
        "2.0 for PM",
        "differential pressure above 1.5 kPa or soot sensor ready",
        1,
        2452,
        8,
        "Complete removal must be detected within one driving cycle at any temperature above −7 °C.",
    ),
    (
        "Particulate filter of petrol engines",
        "removal or empty housing",
        "2.0 for PN",
        "exhaust mass flow above 150 kg/h for 20 s",
        2,
        2460,
        5,
        "The indicator is lit within 50 km after removal.",
    ),
    (
        "Oxygen sensor before the catalyst",
        "slow response or shifted signal",
        "1.75",
        "closed loop control for at least 120 s",
        2,
        130,
        12,
        "A response that is slower than 150 ms is reported as asymmetric or symmetric.",
    ),
    (
        "Oxygen sensor after the catalyst",
        "a signal that does not move",
        "1.75",
        "overrun for at least 4 s",
        2,
        136,
        8,
        "The sensor must be able to reach both 0.15 V and 0.70 V.",
    ),
    (
        "Nitrogen oxides sensor",
        "a signal that is implausible by more than 20 %",
        "1.5",
        "dew point reached for 300 s",
        1,
        2200,
        10,
        "An offset is learned during overrun and is limited to ± 10 ppm.",
    ),
    (
        "Exhaust gas recirculation, flow",
        "a flow that is too low or too high by 40 %",
        "1.75",
        "coolant above 60 °C and engine speed below 2,800 1/min",
        2,
        400,
        9,
        "The valve is moved on purpose once in each driving cycle.",
    ),
    (
        "Exhaust gas recirculation, cooler",
        "a loss of cooling power",
        "1.75",
        "recirculation above 15 % for 60 s",
        2,
        2457,
        3,
        "The bypass flap is monitored for being stuck open and stuck closed.",
    ),
    (
        "Misfire",
        "misfire that damages the catalyst or raises emissions",
        "1.75",
        "all speeds and loads above the zero torque line",
        1,
        300,
        17,
        "While misfire threatens the catalyst, the indicator flashes at 1 Hz.",
    ),
    (
        "Fuel system",
        "correction beyond ± 25 %",
        "1.75",
        "closed loop control and canister valve closed",
        2,
        170,
        8,
        "Learned corrections survive a battery change.",
    ),
    (
        "Fuel injectors",
        "a quantity or timing that is off",
        "1.75",
        "rail pressure stable within 3 MPa",
        2,
        200,
        16,
        "Each injector is reported by its cylinder number.",
    ),
    (
        "Rail pressure",
        "a pressure that is 20 MPa too low or 15 MPa too high",
        "1.75",
        "engine speed above 700 1/min for 10 s",
        2,
        87,
        5,
        "The pressure relief valve counts its openings.",
    ),
    (
        "Boost pressure",
        "a deviation of more than 25 kPa",
        "1.75",
        "accelerator above 40 % for 3 s",
        2,
        234,
        7,
        "Under-boost and over-boost have codes of their own.",
    ),
    (
        "Charge air cooler",
        "an efficiency below 60 %",
        "1.75",
        "vehicle speed above 60 km/h for 120 s",
        2,
        2199,
        3,
        "Ice in the cooler is detected below −5 °C.",
    ),
    (
        "Evaporative system, leak",
        "an opening of 1.0 mm, from phase B on 0.5 mm",
        "not related to a limit",
        "fuel level between 15 % and 85 %, engine off for 5 h",
        2,
        440,
        11,
        "The test may be carried out by a pump or by natural vacuum.",
    ),
    (
        "Evaporative system, purge flow",
        "no flow through the canister",
        "not related to a limit",
        "idle for 25 s after a warm start",
        2,
        441,
        3,
        "A blocked line and a stuck valve need not be told apart.",
    ),
    (
        "Crankcase ventilation",
        "a line that is disconnected",
        "not related to a limit",
        "idle for 30 s, ambient temperature above −7 °C",
        2,
        4,
        2,
        "Lines that cannot be disconnected without breaking need no monitor.",
    ),
    (
        "Coolant thermostat",
        "a thermostat stuck open",
        "1.75",
        "start below 35 °C and a heat input of 900 kJ",
        2,
        125,
        4,
        "The engine must reach 11 K below the regulating temperature.",
    ),
    (
        "Cold start strategy",
        "ignition or idle speed that is not reached",
        "1.75",
        "the first 20 s after a start between 5 and 40 °C",
        2,
        50,
        4,
        "Speed and timing are judged separately.",
    ),
    (
        "Variable valve timing",
        "a deviation of more than 6 degrees of crank angle",
        "1.75",
        "oil temperature above 40 °C",
        2,
        10,
        10,
        "Each camshaft is reported by its bank.",
    ),
    (
        "Battery of hybrid vehicles",
        "a loss of usable energy of 30 %",
        "not related to a limit",
        "state of charge moved by at least 20 percentage points",
        2,
        2560,
        9,
        "The state is shown to the owner on request (Annex X, section 1).",
    ),
    (
        "Ammonia slip catalyst",
        "ammonia above 25 ppm on average",
        "1.5",
        "temperature above 280 °C for 200 s",
        2,
        2064,
        4,
        "The monitor is not needed where the limit is met without the catalyst.",
    ),
    (
        "Communication of control units",
        "messages that are missing or too old",
        "not related to a limit",
        "supply above 10 V for 5 s",
        1,
        3100,
        12,
        "A unit that does not answer is named in the code.",
    ),
]

DETECT = [
    "The monitor detects {what}.",
    "It is the task of this monitor to detect {what} before emissions exceed the threshold.",
    "{What} must be detected.",
]
THRESHOLD = [
    "The threshold is {factor} times the limit of phase A.",
    "A fault is present when emissions would exceed the limit of phase A multiplied by {factor}.",
    "As threshold the limit of phase A times {factor} is used.",
]
ENABLE = [
    "It runs when the following is met: {enable}.",
    "Condition for running: {enable}. Other conditions need the consent of the Authority.",
    "The monitor is released by {enable}.",
]
LIGHT = [
    "The indicator is lit after {cycles} driving {cycle} with the fault and goes out after three without it.",
    "A fault is stored as pending at once and lights the indicator in driving cycle {cycles} at the latest.",
    "After {cycles} driving {cycle} with the fault the indicator is lit; the code is kept for 40 warm-up cycles.",
]
KINDS = ["circuit open", "circuit low", "circuit high", "range or performance", "intermittent", "slow response", "stuck open", "stuck closed", "efficiency below threshold", "plausibility", "learned value at limit", "not running often enough",
         "cylinder 1", "cylinder 2", "cylinder 3", "cylinder 4", "several cylinders"]  # fmt: skip


STREAM = """Calculated load|%|0.4;Coolant temperature|°C|1;Short-term fuel correction, bank 1|%|0.8;Long-term fuel correction, bank 1|%|0.8;Short-term fuel correction, bank 2|%|0.8;Long-term fuel correction, bank 2|%|0.8;Fuel rail pressure|kPa|10;Intake pressure|kPa|1;Engine speed|1/min|0.25;Vehicle speed|km/h|1;Ignition advance|degrees|0.5;Intake air temperature|°C|1;Air mass flow|g/s|0.01;Throttle position|%|0.4;Oxygen sensor before catalyst|V|0.005;Oxygen sensor after catalyst|V|0.005;Time since start|s|1;Distance with indicator lit|km|1;Recirculation, commanded|%|0.4;Recirculation, error|%|0.8;Evaporative purge, commanded|%|0.4;Fuel level|%|0.4;Warm-ups since erasure|number|1;Distance since erasure|km|1;Vapor pressure in tank|Pa|0.25;Ambient pressure|kPa|1;Catalyst temperature, bank 1|°C|0.1;Catalyst temperature, bank 2|°C|0.1;Supply voltage|V|0.001;Absolute load|%|0.4;Commanded air ratio|–|0.0001;Accelerator position D|%|0.4;Accelerator position E|%|0.4;Minutes with indicator lit|min|1;Ethanol content of fuel|%|0.4;Oil temperature|°C|1;Injection timing|degrees|0.008;Fuel rate|L/h|0.05;Torque demanded by driver|%|1;Torque, actual|%|1;Reference torque|N·m|1;Charge pressure|kPa|0.03;Turbine speed|1/min|10;Exhaust temperature before turbine|°C|0.1;Filter, differential pressure|kPa|0.01;Filter, soot load|g|0.1;Filter, distance since regeneration|km|1;Nitrogen oxides before reduction|ppm|0.1;Nitrogen oxides at tailpipe|ppm|0.1;Ammonia at tailpipe|ppm|0.1;Particle number estimate|10^8^/km|1;Reagent level|%|0.4;Reagent consumption, actual|L/h|0.005;Reagent consumption, expected|L/h|0.005;Distance to inducement|km|1;State of charge, traction battery|%|0.4;State of certified energy|%|0.4;Battery current|A|0.1;Battery voltage|V|0.1;Energy consumed, lifetime|kWh|0.1;Fuel consumed, lifetime|L|0.01;Odometer|km|0.1"""


def stream() -> list[list[str]]:
    """Values that can be read, with their resolution, rate, and whether they are stored with a fault."""
    rows = []
    for n, item in enumerate(STREAM.split(";")):
        name, unit, step = item.split("|")
        rows.append(
            [
                f"{n + 4:02X}",
                name,
                unit,
                step,
                str((10, 1, 5, 2)[(n * 3 + len(name)) % 4]),
                "F" if n < 24 or "Nitrogen" in name else "–",
            ]
        )
    return rows


def annex() -> str:
    """The whole annex in markup."""
    parts = [
        "\n# Annex VII On-board diagnostics\n\n## 1. Functions\n\n"
        "1.1. The diagnostic system detects malfunctions that raise emissions above the thresholds of this Annex, stores a code together with the conditions under which the fault was seen, and lights the malfunction indicator.\n\n"
        "1.2. The indicator is amber and shows the outline of an engine. It is lit for a check when the ignition is switched on. It is not used for any other purpose, and cannot be switched off by the driver.\n\n"
        "1.3. A monitor runs at least as often as its minimum ratio demands: 0.336 for monitors that need a cold start, 0.260 for the evaporative system, and 0.100 for all others. The ratio is the number of runs divided by the number of driving cycles of more than ten minutes.\n\n"
        "1.4. Monitors may be paused below −7 °C, above 2,440 m of altitude, with less than 20 % of fuel in the tank, and while power is taken off for auxiliary devices. Pausing for other reasons is declared in the application for type approval.\n\n"
        "1.5. Access is free through the standardized socket, which lies within 0.6 m of the steering wheel. Reading does not need a password. Since 1 July 2027 the data may also be read by radio where the owner has agreed.\n\n"
        "1.6. Control software is protected against tampering. An attempt to change it without authority is stored with date and odometer reading and cannot be erased for 10,000 km.\n\n"
        "## 2. Monitors\n"
    ]
    codes: list[list[str]] = []
    summary = []
    for n, (name, what, factor, enable, cycles, code, count, special) in enumerate(MONITORS):
        values = {
            "what": what,
            "What": what[0].upper() + what[1:],
            "factor": factor,
            "enable": enable,
            "cycles": cycles,
            "cycle": "cycle" if cycles == 1 else "cycles",
        }
        sentences = [DETECT[n % 3]]
        if factor.startswith("not"):
            sentences.append("The requirement does not depend on a limit for exhaust emissions.")
        elif " for " in factor:
            value, pollutant = factor.split(" for ")
            sentences.append(
                f"The threshold is {value} times the limit of phase A for {pollutant}; for the other pollutants it is 1.75 times the limit."
            )
        else:
            sentences.append(THRESHOLD[(n + 1) % 3])
        parts.append(f"\n### 2.{n + 1}. {name}\n\n" + " ".join(s.format(**values) for s in sentences) + "\n")
        parts.append(" ".join(s.format(**values) for s in (ENABLE[(n + 2) % 3], LIGHT[n % 3])) + f" {special}\n")
        summary.append(
            [
                f"2.{n + 1}",
                name,
                "–" if factor.startswith("not") else factor,
                str(cycles),
                f"P{code:04d}–P{code + count - 1:04d}",
            ]
        )
        codes.append([name])
        codes += [
            [
                f"P{code + k:04d}",
                f"{name}: {KINDS[(k + (12 if name == 'Misfire' else 0)) % len(KINDS)]}",
                ["A", "B", "C"][(k + n) % 3],
                str(cycles),
                ["Yes", "No"][(k * 3 + n) % 2],
            ]
            for k in range(count)
        ]
    parts.append("\n## 3. Summary of thresholds\n")
    parts.append(
        table(
            "Table VII.1. Monitors and thresholds",
            [["Section", "Monitor", "Threshold", "Driving cycles", "Codes"], ["^", "^", "× limit", "number", "^"]],
            summary,
            "18,58,26,24,34",
            "llccl",
        )
    )
    parts.append(
        "\n## 4. Fault codes\n\n4.1. The codes of Table VII.2 are used. Class A lights the indicator at once, class B as given in the fourth column, class C is stored without lighting the indicator. The last column says whether the inducement of Article 3(3)(c) begins.\n"
    )
    parts.append(
        table(
            "Table VII.2. Fault codes",
            [["Code", "Meaning", "Class", "Driving cycles", "Inducement"]],
            codes,
            "18,80,14,24,28",
            "clccc",
        )
    )
    parts.append(
        '\n## 5. Data stream and stored conditions\n\n5.1. The values of Table VII.3 can be read at any time while the ignition is on. Those marked F are stored with the first fault code as stored conditions; a misfire or a fault of the fuel system overwrites those of other faults.\n\n5.2. Values are given with the resolution shown. A value that the vehicle does not have is not replaced by zero: the request is answered with "not supported".\n\n'
        + table(
            "Table VII.3. Values in the data stream",
            [["Number", "Value", "Unit", "Resolution", "Rate", "Stored"], ["^", "^", "^", "^", "1/s", "^"]],
            stream(),
            "18,64,22,24,16,16",
            "clcrrc",
        )
        + "\n## 6. Approval of the diagnostic system\n\n"
        "6.1. Eight to twelve faults, chosen by the technical service, are built into the vehicle one after the other. For each the preconditioning consists of two cycles; the fault must be detected in the third at the latest.\n\n"
        "6.2. A type may be approved with up to two deficiencies, but not with a missing monitor for catalyst, particulate filter or selective reduction. A deficiency is corrected within two years; the manufacturer pays a fee of $50 for each vehicle sold with it.\n\n"
        "6.3. Parts that simulate a fault are made by the manufacturer, are described by drawing, and are kept for the Authority until five years after the end of production.\n"
    )
    return "\n".join(parts)
