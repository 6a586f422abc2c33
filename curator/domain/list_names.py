"""What columns of lists are called, in the languages that lists are kept in: tables of words, nothing else."""

# ruff: noqa: E501, SIM905  a table of words is read more easily in long lines

from __future__ import annotations

FIELDS = (
    "caseId", "turns", "system", "referenceAnswer", "acceptableAnswers", "expectedBehavior", "refusalReason", "escalateTo", "escalateWhen",
    "expectedSourceIds", "documents", "pages", "evidence.quote", "evidence.context", "evidence.start", "keyProvisions", "mustNotClaim",
    "category", "domain", "documentType", "difficulty", "risk", "consequence", "language", "route", "asOf", "asker", "tags", "notes",
)  # fmt: skip
"""What a column can be mapped to; "" or "attribute" keeps it as an attribute."""

# Of several columns for one field the one that stands earlier wins; within a line, names are equals.
NAMES: dict[str, tuple[str, ...]] = {
    "turns": (
        "question questions q frage fragen fragestellung nutzerfrage pergunta perguntas pregunta preguntas "
        "domanda domande quesito vraag "
        "질문 문의 질의 사용자_질문 質問 質問文 问题 問題 提问 вопрос pytanie otazka pitanje fraga spørgsmal "
        "sporsmal soru سؤال cau_hoi kysymys "
        "user_question test_question question_posee pregunta_usuario 사용자질문 질문내용 sample_question question_text customer_question input_question "
        "query user_query sample_query query_text user_input user_message user_prompt utterance anfrage "
        "consulta requete requête 입력 クエリ "
        "turns messages conversation conversations dialogue dialog chat gesprach conversacion conversa 대화 会話 对话",
        "input prompt ask request instruction user message scenario_question text_question",
    ),
    "history": ("chat_history conversation_history history previous_turns earlier_turns context_messages "
    "이전_대화 verlauf",),
    "system": ("system system_prompt system_message",),
    "caseId": (
        "id case_id caseid test_id testcase_id test_case_id tc_id question_id query_id qid scenario_id case_no "
        "case_number question_no kennung "
        "identificador identifiant fall_id frage_id _id uid uuid 식별자 번호 编号 番号 no_id example_id",
        "nr no num number numero lfd_nr lfd laufende_nr # n° nº key ref doc_id",
        "name",
    ),
    "referenceAnswer": (
        "ground_truth ground_truths groundtruth ground_truth_answer ground_truth_answers reference_answer "
        "reference_answers referenceanswer "
        "expected_answer expected_answers expected_output expected_outcome expected_response expected_result "
        "gold_answer golden_answer "
        "gold_answers ideal_answer ideal ideal_response ideal_output correct_answer correct_answers "
        "reference_output reference_summary "
        "reference_response model_solution expected_answer_summary expected_summary canonical_answer "
        "golden_response gold_standard "
        "standard_answer desired_answer target_answer reponses_attendues reponse_modele reponse_correcte 모범답안 모범_답안 예상답변 기준답변 기준_답변 erwartete_antwort musterantwort sollantwort soll_antwort "
        "referenzantwort "
        "richtige_antwort resposta_esperada resposta_correta respuesta_esperada respuesta_correcta "
        "respuesta_de_referencia reponse_attendue "
        "reponse_de_reference bonne_reponse risposta_attesa risposta_corretta verwacht_antwoord 정답 모범답변 "
        "모범_답변 기대답변 기대_답변 예상_답변 "
        "正解 期待回答 期待される回答 模範解答 参考答案 标准答案 正确答案 эталонный_ответ ожидаемый_ответ "
        "эталон oczekiwana_odpowiedz ocekivani_odgovor "
        "ocekavana_odpoved reference gold label_answer",
        "answer answers antwort resposta respuesta reponse risposta antwoord 답변 답 回答 答え 答案 ответ "
        "odpowiedz odpoved odgovor svar cevap "
        "cau_tra_loi الجواب إجابة vastaus outputs_answer output_answer",
        "a target solution summary zusammenfassung loesung losung",
        "output response completion result expected",
    ),
    "acceptableAnswers": (
        "acceptable_answers acceptable alternative_answers alternatives answer_variants accepted_answers "
        "also_correct variants aliases "
        "alternativantworten",
    ),
    "refused": (  # a truth: true = the right behavior is to refuse
        "expected_refusal expect_refusal should_refuse should_be_refused must_be_refused hors_perimetre hors_sujet fora_de_escopo fuera_de_alcance must_refuse refuse is_refusal refusal should_abstain "
        "abstain is_impossible "
        "unanswerable is_unanswerable out_of_scope is_out_of_scope outofscope no_answer should_decline decline "
        "expect_decline "
        "soll_verweigern verweigern ablehnen soll_ablehnen ablehnung deve_recusar recusar debe_rechazar "
        "rechazar doit_refuser refuser "
        "deve_rifiutare moet_weigeren 거절 거절_여부 거절여부 답변거절 回答拒否 拒否 应拒绝 拒绝 отказ is_negative negative",
    ),
    "answered": (  # a truth: false = the right behavior is to refuse
        "answerable is_answerable in_corpus in_context has_answer_in_corpus has_answer in_scope should_answer "
        "answer_in_corpus is_in_scope "
        "beantwortbar im_korpus respondivel respondible contestable repondable 답변가능 답변_가능 답변가능여부 回答可能 可回答 能否回答",
    ),
    "escalated": (
        "should_escalate escalate expect_escalation expected_escalation must_escalate needs_human handover "
        "should_hand_over eskalieren "
        "soll_eskalieren debe_escalar deve_escalar 에스컬레이션 상담원_연결",
    ),
    "expectedBehavior": (
        "expected_behavior expected_behaviour behavior_expected behaviour_expected target_behavior desired_behavior correct_behavior soll_verhalten sollverhalten 기대동작 기대_동작 예상_동작 예상동작 예상행동 behavior behaviour expectedbehavior required_behaviors "
        "required_behaviours requiredbehaviors "
        "expect_action expected_action expected_actions expected_routing expect_routing expected_status "
        "expected_decision erwartetes_verhalten "
        "verhalten comportamento_esperado comportamiento_esperado comportement_attendu 기대_행동 기대행동 期待動作 期待行为",
        "action status_expected aktion",
    ),
    "refusalReason": ("refusal_reason expected_refusal_reason reason_for_refusal ablehnungsgrund",),
    "escalateTo": ("escalate_to hand_over_to handover_to eskalieren_an escalar_a",),
    "escalateWhen": ("escalate_when eskalieren_wenn",),
    "expectedSourceIds": (
        "expected_source_ids expected_source_id expectedsourceids expected_sources source_ids source_id "
        "relevant_doc_ids relevant_documents "
        "relevant_docs expect_docs expected_docs expected_documents expected_doc_ids gold_docs gold_doc_ids "
        "primary_doc_id document_id "
        "document_ids doc_ids gold_chunk_id gold_chunk_ids relevant_chunk_ids relevant_chunks "
        "expected_chunk_ids chunk_id chunk_ids "
        "expected_recipe_id expected_slugs expected_urls expected_url gold_passage_ids passage_id "
        "expected_citations expected_citation art must_cite relevant_section relevant_sections relevant_article relevant_articles "
        "citations citation expected_articles expected_article expected_section expected_sections "
        "source_section source_sections "
        "expected_reference expected_chapter expected_clause espera fundstelle fundstellen rechtsgrundlage "
        "article artikel articulo artigo "
        "articles clause paragraph_ref section section_nr abschnitt paragraf 조항 条文 条款 근거조항 근거_조항 seed_document_id",
    ),
    "documents": (
        "source_document source_documents document_source documents_source fichier_source documento_fuente documento_fonte quelldatei 출처문서 출처_문서 근거문서 근거_문서 source_file source_files sourcefile source_doc reference_doc "
        "reference_document document documents "
        "doc docs file files filename file_name document_name document_title doc_name doc_title dokument "
        "dokumente quelldokument datei "
        "documento documentos arquivo archivo fichier bestand 문서 문서명 문서_이름 文書 文書名 ドキュメント 文档 文件 документ plik",
        "source sources quelle quellen fuente fonte bron 출처 出典 来源 источник title titel titulo",
    ),
    "pages": (
        "pages page page_reference page_references page_number page_numbers page_no pageno expected_pages "
        "expected_page seite seiten seitenzahl "
        "seite_n pagina paginas paginanummer 페이지 쪽 쪽수 ページ 頁 页码 页 страница strona strana sayfa",
    ),
    "evidence.quote": (
        "reference_contexts reference_context gold_context gold_contexts ground_truth_context "
        "ground_truth_contexts expected_context "
        "supporting_text supporting_passage supporting_passages evidence_text evidence_quote evidence quote "
        "quotes citation_text excerpt "
        "excerpts snippet snippets passage passages relevant_passage relevant_passages relevant_text "
        "source_text source_quote textstelle "
        "zitat belegstelle beleg trecho citazione cita extrait passaggio 근거 근거_문장 인용 인용문 根拠 引用 "
        "引用文 依据 原文 contexts context kontext "
        "contexto contexte references relevant content_contains supporting_facts",
    ),
    "keyProvisions": (
        "key_provisions keyprovisions expected_facts must_have_facts must_have_fact mandatory_facts faits_obligatoires faits_cles pflichtfakten hechos_obligatorios hechos_clave fatos_obrigatorios fatos_chave 필수사실 필수_사실 필수내용 필수_내용 핵심사실 key_facts facts reference_points key_points key_assertions "
        "assertions claims "
        "expected_claims must_mention required_facts required_points kernaussagen kernpunkte pflichtangaben "
        "puntos_clave pontos_chave hechos "
        "fatos points_cles 핵심 핵심내용 핵심_내용 핵심_사실 要点 关键点 rubric criteria grading_criteria",
        "expected_contains must_include must_contain must_haves key_terms required_terms 필수키워드 핵심키워드 핵심_키워드 must_have should_contain should_include contains "
        "deve_conter debe_contener "
        "muss_enthalten doit_contenir deve_contenere expected_keywords expected_keyword keywords "
        "required_keywords expected_policy_keywords "
        "expected_phrases stichworte stichworter schlagworte schluesselworter palabras_clave palavras_chave "
        "키워드 필수_키워드 必須キーワード 关键词 icontains",
    ),
    "mustNotClaim": (
        "must_not_claim mustnotclaim must_not must_not_say do_not_say a_ne_pas_dire ne_pas_dire no_debe_decir nao_deve_dizer darf_nicht_sagen 금지사항 금지_사항 must_not_contain must_not_include must_not_mention should_not_contain "
        "should_not_include "
        "nao_deve_conter no_debe_contener darf_nicht_enthalten ne_doit_pas_contenir forbid_patterns forbidden "
        "forbidden_phrases "
        "forbidden_claims forbidden_keywords absent_terms negative_keywords banned not_contains 금지어 "
        "금지_표현 禁止語 不得包含 excludes",
    ),
    "category": (
        "category categories kategorie categoria categorias categorie rubrik 분류 카테고리 유형 カテゴリ "
        "カテゴリー 分類 类别 分类 категория kategoria kategorija",
        "question_type query_type questiontype scenario_type test_type case_type group suite bucket theme topic "
        "topics thema tema intent "
        "intencao 주제 トピック 主题 gruppe",
        "type typ tipo class",
    ),
    "domain": ("domain domaene domane bereich fachbereich dominio domaine dominium 도메인 分野 領域 领域 домен use_case",),
    "documentType": ("document_type doc_type dokumenttyp dokumentart tipo_documento",),
    "difficulty": (
        "difficulty difficulty_level schwierigkeit schwierigkeitsgrad dificultad dificuldade difficulte "
        "difficolta moeilijkheid complexity "
        "complexidade komplexitat 난이도 難易度 难度 сложность trudnosc tezina",
    ),
    "risk": (
        "risk risk_level severity criticality criticite niveau_de_risque nivel_de_riesgo nivel_de_risco 심각도 risiko risikostufe schweregrad kritikalitat riesgo gravedad risco "
        "gravidade risque gravite "
        "rischio 위험 위험도 リスク 风险 風險 риск ryzyko rizik",
    ),
    "consequence": ("consequence consequences impact auswirkung folgen",),
    "language": ("language lang locale sprache idioma langue lingua taal 언어 言語 语言 язык jezyk",),
    "route": ("route expected_route",),
    "asOf": ("as_of as_of_date stichtag valid_on",),
    "asker": ("asker asked_by user_role fragesteller",),
    "tags": (
        "tags tag labels schlagworter etiquetas 태그 タグ 标签 persona_name synthesizer_name query_style "
        "query_length evolution_type dataset_split "
        "split question_style",
    ),
    "notes": (
        "notes note comments comment _note remark remarks rationale reasoning explanation known_status notiz "
        "notizen bemerkung bemerkungen "
        "kommentar kommentare anmerkung anmerkungen hinweis hinweise observacoes observacao observaciones nota "
        "notas remarque remarques "
        "commentaire commentaires opmerking opmerkingen 비고 메모 備考 メモ 备注 注释 примечание uwagi napomena "
        "description beschreibung "
        "scenario created_at created created_on date_created added_on date_added added datum erstellt_am "
        "angelegt_am fecha data_criacao date",
    ),
    "never": (  # what a model said; never what is right
        "actual_output actual_answer generated_answer generated_response llm_answer llm_output model_answer "
        "model_output model_response "
        "bot_answer bot_response system_answer prediction predicted_answer plausible_answers retrieval_context "
        "retrieved_contexts "
        "retrieved_context retrieved_chunks retrieved_documents candidate_answer rag_answer actual_response",
    ),
}  # fmt: skip
NEVER = "never"

TABLE: dict[str, tuple[str, int]] = {
    name: (field, rank) for field, lines in NAMES.items() for rank, line in enumerate(lines) for name in line.split()
}
JOINED = {name.replace("_", ""): known for name, known in TABLE.items() if len(name) > 5 or not name.isascii()}
"""The same without what divides words: many languages join them or do not."""
LISTS = frozenset(
    "cases items questions queries tests examples goldens conversational_goldens data records rows entries "
    "samples dataset testcases "
    "test_cases testset test_set golden_set goldenset evals evaluations qa qas qa_pairs pairs "
    "questions_and_answers fragen preguntas perguntas "
    "positivos negativos positives negatives positive negative refusals unanswerable answerable out_of_scope "
    "faq faqs prompts conversations "
    "scenarios paragraphs documents results documentos faelle falle 질문 질문들 list".split()
)
EXPECTING = frozenset(
    "outputs output expected expect expectation expectations reference_outputs reference expected_outputs "
    "espera soll".split()
)
ASKING = frozenset("inputs input vars variables".split())
META = frozenset(
    "metadata meta additional_metadata custom_column_key_values info extra properties attributes labels "
    "annotations ext example_metadata".split()
)
EVIDENCE = {
    "file": "documents", "doc": "documents", "document": "documents", "source": "documents", "title": "documents", "name": "documents",
    "page": "pages", "pages": "pages", "quote": "evidence.quote", "text": "evidence.quote", "passage": "evidence.quote",
    "content": "evidence.quote", "content_contains": "evidence.quote", "id": "expectedSourceIds", "article": "expectedSourceIds",
    "section": "expectedSourceIds", "heading": "expectedSourceIds", "heading_startswith": "expectedSourceIds", "chunk_id": "expectedSourceIds",
}  # fmt: skip
EVIDENCE_PARENTS = frozenset(
    "evidence target_chunk source citation gold_chunk supporting_evidence reference_source quelle evidences".split()
)
