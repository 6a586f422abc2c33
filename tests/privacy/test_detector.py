"""What is found, what is left alone, and how it is replaced."""

from __future__ import annotations

import pytest

from curator.privacy import Allowed, Detector, Scrubber, candidates, is_hard, reduced


def kinds(text: str, detector: Detector | None = None) -> dict[str, str]:
    return {text[f.start : f.end]: f.kind for f in (detector or Detector()).find(text)}


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("write to anna.b+c@mail.example.org.", "anna.b+c@mail.example.org", "email"),
        ("답장은 minsu@example.com으로 주세요", "minsu@example.com", "email"),
        ("mail me: jo dot doe at example dot com", "jo dot doe at example dot com", "email"),
        ("call +44 20 7946 0958 now", "+44 20 7946 0958", "phone"),
        ("ring (415) 555-0132", "(415) 555-0132", "phone"),
        ("전화 010-0000-1234 입니다", "010-0000-1234", "phone"),
        ("card 4111 1111 1111 1111", "4111 1111 1111 1111", "credit_card"),
        ("to GB82 WEST 1234 5698 7654 32 please", "GB82 WEST 1234 5698 7654 32", "iban"),
        ("social security number is 987-65-4321", "987-65-4321", "ssn"),
        ("주민등록번호 900101-1234567 입니다", "900101-1234567", "kr_rrn"),
        ("NI is QQ 12 34 56 C, thanks", "QQ 12 34 56 C", "uk_nino"),
        ("codice fiscale RSSMRA85T10A562S", "RSSMRA85T10A562S", "national_id"),
        ("BSN 111222333", "111222333", "national_id"),
        ("her passport number is X12345678", "X12345678", "passport"),
        ("운전면허번호는 11-12-123456-01이에요", "11-12-123456-01", "driver_license"),
        ("see MRN 00482913", "MRN 00482913", "medical_record"),
        ("from 203.0.113.77 or 2001:db8::8a2e:370:7334", "203.0.113.77", "ip_address"),
        ("at https://anna:pw1@portal.example.org/in", "https://anna:pw1@portal.example.org/in", "credential_url"),
        ("postgresql://ann:TESTONLY-pw@db/gold", "postgresql://ann:TESTONLY-pw@db/gold", "credential_url"),
        ("key sk-TESTONLY0000000000000000000000000001", "sk-TESTONLY0000000000000000000000000001", "api_key"),
        ("the password is hunter2!", "hunter2!", "api_key"),
        ("born on 12 March 2021", "12 March 2021", "date_of_birth"),
        ("we live at 14 Larkspur Lane, Springfield, IL 62704.", "14 Larkspur Lane, Springfield, IL 62704", "address"),
        ("in der Lindenallee 27, 10115 Musterstadt.", "Lindenallee 27, 10115 Musterstadt", "address"),
        ("My name is Ingrid Vestergaard and", "Ingrid Vestergaard", "person"),
        ("Hello,\n\nIlse Marchetti\nRowan Limited\n27 Alder Grove Road\nOslo", "Ilse Marchetti", "person"),
        ("Thanks for the call.\nJonas de Wit\nphone 010-0000-1234", "Jonas de Wit", "person"),
        ("my great grandmother was called Ada Lund, I think", "Ada Lund", "person"),
        ("it is under my sister's name Ada Lund", "Ada Lund", "person"),
        ("hi its sarah connolly here, my debit went out twice", "sarah connolly", "person"),
        ("can you tell nadia that it is ready", "nadia", "person"),
        ("they had 4: silvana, adam, donna and brian.", "silvana", "person"),
        ("I spoke to Dave on Tuesday", "Dave", "person"),
        ("policy holder: GRACE LINDQVIST, claim about hail", "GRACE LINDQVIST", "person"),
        ("From: Quorl Zembla <q@example.org>\nSubject: leak", "Quorl Zembla", "person"),
        ("Der Zähler fehlt.\n\nMit freundlichen Grüßen\nQuorl Zembla", "Quorl Zembla", "person"),
        ("Bitte rufen Sie Frau Dr. Quorl an", "Quorl", "person"),
        ("moved to Flat 4, 88 Harlow Road, Leeds LS6 2AB and", "Flat 4, 88 Harlow Road, Leeds LS6 2AB", "address"),
        ("woon op de Prinsengracht 263, 1016 GV Amsterdam. Wanneer", "Prinsengracht 263, 1016 GV Amsterdam", "address"),
        ("vivo en Calle Mayor 45, 3º B, 28013 Madrid y", "Calle Mayor 45, 3º B, 28013 Madrid", "address"),
        ("Address: PO Box 1187, Springfield, IL 62705\nIssue: x", "PO Box 1187, Springfield, IL 62705", "address"),
        ("her passport no is NXR4K2L81", "NXR4K2L81", "passport"),
        ("김민수 고객님이 환불을", "김민수", "person"),
        ("我叫王小明，手机号13812345678", "王小明", "person"),
    ],
)
def test_it_is_found(text: str, value: str, kind: str) -> None:
    assert kinds(text).get(value) == kind


@pytest.mark.parametrize(
    "text",
    [
        "The handbook is version 10.2.3.4.",
        "Emergency number 112 was busy.",
        "What stays open?\n\nHealth Services\nFirst Floor\nphone 112",
        "Measles Outbreak\nhow many days must pupils stay away",
        "See regulation (EU) 1169/2011, article 21.",
        "Order code 4000-1234-ABCD was late.",
        "The policy started on 1 September 2024.",
        "Our case number is 2024-000123-7.",
        "Invoice 7301045598 is open.",
        "Error code 0x80070057 on Windows 10.0.19045.1 build.",
        "환불은 구매 후 14일 이내에 가능합니다 (제12조 제3항).",
        "Model number XR-2024-1187, SKU 8801234567890",
        "What does a password need?",
        "[PERSON_1] called [PHONE_2] about article 7",
        "Is Lake Geneva covered, and what does the Jeanne Clery Act say of Addison's disease?",
        "Did Gideon v. Wainwright or Mathews v. Eldridge come first, St. Louis or the Martin Luther King Day?",
        "Is Julia 1.9 faster than Apache Hermes, and Athena on Alma Linux? Which Pascal unit is a Monte Carlo run in?",
        "Diane-35 with St. John's wort; Miranda rights; a Thomas splint; Mike Alpha Romeo",
        "I'm Very Disappointed with Premium Care, ask for Premium Support",
        "The Oxford Street store in Leeds, 12 Month Fixed Saver 4.5%",
        "2007 15 and 14 CFR Part 39, 153 Germany 91\n119 Spain 85",
        "Dear Team, Hi Support,\n\nBest regards",
    ],
)
def test_look_alikes_are_left_alone(text: str) -> None:
    assert not kinds(text)


def test_a_link_is_only_shown() -> None:
    assert kinds("see https://kita.example.org/h?x=1.") == {"https://kita.example.org/h?x=1": "url"}
    assert Scrubber(Detector()).scrub("see https://kita.example.org/h") == ("see https://kita.example.org/h", [])


def test_a_value_has_one_placeholder_in_a_conversation_and_another_conversation_starts_anew() -> None:
    scrubber = Scrubber(Detector())
    assert scrubber.scrub("a@example.org and b@example.org", "s1")[0] == "[EMAIL_1] and [EMAIL_2]"
    assert scrubber.scrub("again B@example.org", "s1")[0] == "again [EMAIL_2]"
    assert scrubber.scrub("c@example.org", "s2")[0] == "[EMAIL_1]"


def test_placeholders_that_are_there_keep_their_numbers() -> None:
    assert Scrubber(Detector()).scrub("[EMAIL_3] and a@example.org", "s")[0] == "[EMAIL_3] and [EMAIL_4]"


def test_reduced_texts_do_not_depend_on_who_came_first() -> None:
    assert reduced("[PERSON_2] of [X_1]") == "[PERSON] of [X_1]"


def test_an_allowed_string_is_let_through_in_its_kind_alone() -> None:
    allowed = Detector(allowed=[Allowed("desk@example.org", "email")])
    assert kinds("write to desk@example.org or a@example.org", allowed) == {"a@example.org": "email"}
    other = Detector(allowed=[Allowed("desk@example.org", "phone")])
    assert kinds("write to desk@example.org", other) == {"desk@example.org": "email"}


def test_candidates_are_what_a_person_ticks() -> None:
    text = "The form of Maria Gonzalez came on 2024-05-01, file 12 34 56 78."
    assert {text[c.start : c.end] for c in candidates(text)} == {"Maria Gonzalez", "2024-05-01", "12 34 56 78"}
    assert not any(is_hard(c.kind) for c in candidates(text))


def test_a_long_text_costs_no_more_than_its_length() -> None:
    import time

    def spent(text: str) -> float:
        best = 9.0
        for _ in range(3):
            began = time.process_time()
            Detector().find(text)
            best = min(best, time.process_time() - began)
        return best

    for piece in ("1 ", "a@", "Aa ", "x.y ", "((1-", "::a:", "my name is Ada Bo, "):
        small = spent(piece * 300)
        assert spent(piece * 2400) < 40 * small + 0.2, piece
