--
-- PostgreSQL database dump
--



SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: refuse_to_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refuse_to_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        begin
            if tg_op = 'DELETE' and tg_level = 'ROW' and tg_table_name <> 'study_event'
                and current_setting('thinlab.withdrawing', true) = 'yes' then
                return old;
            end if;
            raise exception '% is append-only: % refused', tg_table_name, tg_op
                using errcode = 'restrict_violation';
        end
        $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: alembic_version; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);


--
-- Name: allocation; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.allocation (
    participant_id bigint NOT NULL,
    block_id character varying NOT NULL,
    "row" bigint NOT NULL,
    round bigint NOT NULL
);


--
-- Name: demo; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.demo (
    id bigint NOT NULL,
    title character varying NOT NULL,
    settings jsonb NOT NULL,
    fate character varying DEFAULT 'running'::character varying NOT NULL,
    began_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    length_ms double precision,
    size_bytes bigint DEFAULT '0'::bigint NOT NULL,
    build character varying NOT NULL,
    share_key uuid,
    share_hash bytea,
    CONSTRAINT ck_demo_fate CHECK (((fate)::text = ANY ((ARRAY['running'::character varying, 'ended'::character varying, 'broken_off'::character varying])::text[]))),
    CONSTRAINT ck_demo_running_has_no_end CHECK ((((fate)::text = 'running'::text) = (ended_at IS NULL))),
    CONSTRAINT ck_demo_shared_or_not CHECK (((share_key IS NULL) = (share_hash IS NULL)))
);


--
-- Name: demo_event; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.demo_event (
    demo_id bigint NOT NULL,
    number bigint NOT NULL,
    take bigint NOT NULL,
    at_ms double precision NOT NULL,
    kind character varying NOT NULL,
    who character varying NOT NULL,
    text character varying NOT NULL,
    lanes jsonb NOT NULL,
    kernel_ms double precision,
    CONSTRAINT ck_demo_event_who CHECK (((who)::text = ANY ((ARRAY['presenter'::character varying, 'server'::character varying])::text[])))
);


--
-- Name: demo_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.demo ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.demo_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: demo_poll; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.demo_poll (
    id bigint NOT NULL,
    demo_id bigint NOT NULL,
    number bigint NOT NULL,
    question character varying NOT NULL,
    lane_order jsonb NOT NULL,
    opened_at_ms double precision NOT NULL,
    closed_at_ms double precision,
    revealed_at_ms double precision,
    lane_names jsonb
);


--
-- Name: demo_poll_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.demo_poll ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.demo_poll_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: demo_take; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.demo_take (
    demo_id bigint NOT NULL,
    number bigint NOT NULL,
    began_at_ms double precision NOT NULL,
    ready_at_ms double precision,
    ended_at_ms double precision,
    host character varying,
    host_build character varying,
    settings jsonb NOT NULL,
    seed bigint NOT NULL,
    "end" character varying,
    result jsonb
);


--
-- Name: demo_vote; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.demo_vote (
    poll_id bigint NOT NULL,
    listener_hash bytea NOT NULL,
    choice character varying NOT NULL,
    voted_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT ck_demo_vote_choice CHECK (((choice)::text = ANY ((ARRAY['A'::character varying, 'B'::character varying, 'C'::character varying, 'D'::character varying, 'no_difference'::character varying])::text[])))
);


--
-- Name: exclusion_entry; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.exclusion_entry (
    id bigint NOT NULL,
    participant_id bigint NOT NULL,
    excluded boolean NOT NULL,
    reason character varying NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: exclusion_entry_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.exclusion_entry ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.exclusion_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: invitation; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.invitation (
    id bigint NOT NULL,
    slug character varying NOT NULL,
    label character varying NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    participant_id bigint,
    used_at timestamp with time zone
);


--
-- Name: invitation_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.invitation ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.invitation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: keystroke; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.keystroke (
    session_id bigint NOT NULL,
    number bigint NOT NULL,
    kind character varying NOT NULL,
    repeat boolean NOT NULL,
    data character varying,
    pressed_us bigint NOT NULL,
    released_us bigint,
    backend_received_us bigint,
    agent_received_us bigint,
    pty_written_us bigint,
    key_written_us bigint,
    key_sent_us bigint,
    key_arrived_us bigint,
    key_delivered_us bigint,
    echo_written_us bigint,
    echo_sent_us bigint,
    echo_arrived_us bigint,
    echo_delivered_us bigint,
    screen_us bigint,
    agent_forwarded_us bigint,
    backend_forwarded_us bigint,
    painted_us bigint,
    screen bigint,
    key_transmissions bigint,
    echo_transmissions bigint,
    key_recovery character varying,
    echo_recovery character varying
);


--
-- Name: participant; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.participant (
    id bigint NOT NULL,
    pseudonym character varying NOT NULL,
    study_id bigint NOT NULL,
    join_key uuid,
    token_hash bytea,
    consent_version character varying NOT NULL,
    joined_at timestamp with time zone DEFAULT now() NOT NULL,
    completed_at timestamp with time zone,
    completion_code character varying,
    kind character varying NOT NULL,
    language character varying NOT NULL,
    withdraw_hash bytea,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    sound_checked_at timestamp with time zone,
    level_percent bigint,
    headphones_correct bigint,
    headphones_of bigint,
    headphones_tries bigint,
    headphones_passed boolean,
    withdrawn_at timestamp with time zone,
    left_out boolean DEFAULT false NOT NULL,
    connection_checked_at timestamp with time zone,
    connection_tries bigint,
    connection_passed boolean,
    connection_transport character varying,
    connection_rtt_ms double precision,
    connection_jitter_ms double precision,
    connection_lost_share double precision,
    CONSTRAINT ck_participant_kind CHECK (((kind)::text = ANY ((ARRAY['person'::character varying, 'preview'::character varying, 'bot'::character varying])::text[])))
);


--
-- Name: participant_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.participant ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.participant_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: predicted_quality; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.predicted_quality (
    recording_id bigint NOT NULL,
    measure character varying NOT NULL,
    version character varying NOT NULL,
    score double precision,
    reason character varying,
    made_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: presentation; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.presentation (
    id bigint NOT NULL,
    participant_id bigint NOT NULL,
    trial_id character varying NOT NULL,
    "position" bigint NOT NULL,
    first_member character varying NOT NULL,
    first_recording_id bigint,
    second_recording_id bigint,
    trial_token character varying NOT NULL,
    first_token character varying NOT NULL,
    second_token character varying,
    drawn_at timestamp with time zone DEFAULT now() CONSTRAINT presentation_opened_at_not_null NOT NULL,
    block_id character varying NOT NULL,
    training boolean NOT NULL,
    run bigint NOT NULL,
    medium character varying NOT NULL,
    CONSTRAINT ck_presentation_first_member CHECK (((first_member)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[]))),
    CONSTRAINT ck_presentation_heard_has_recordings CHECK (
CASE medium
    WHEN 'heard'::text THEN (first_recording_id IS NOT NULL)
    ELSE ((first_recording_id IS NULL) AND (second_recording_id IS NULL) AND (second_token IS NOT NULL))
END),
    CONSTRAINT ck_presentation_medium CHECK (((medium)::text = ANY ((ARRAY['heard'::character varying, 'typed'::character varying])::text[]))),
    CONSTRAINT ck_presentation_second_has_a_token CHECK ((((medium)::text = 'typed'::text) OR ((second_recording_id IS NULL) = (second_token IS NULL))))
);


--
-- Name: presentation_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.presentation ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.presentation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: questionnaire_answer; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.questionnaire_answer (
    participant_id bigint NOT NULL,
    question_id character varying NOT NULL,
    answer jsonb NOT NULL,
    answered_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: recording; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.recording (
    id bigint NOT NULL,
    key character varying NOT NULL,
    clip character varying NOT NULL,
    clip_sha256 character varying NOT NULL,
    condition jsonb NOT NULL,
    seed bigint NOT NULL,
    host_build character varying NOT NULL,
    agent_version character varying NOT NULL,
    kernel_release character varying NOT NULL,
    duration_ms bigint NOT NULL,
    audio_sha256 character varying NOT NULL,
    result jsonb NOT NULL,
    made_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: recording_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.recording ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.recording_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: recording_job; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.recording_job (
    id bigint NOT NULL,
    spec_key character varying NOT NULL,
    clip character varying NOT NULL,
    clip_sha256 character varying NOT NULL,
    condition jsonb NOT NULL,
    seed bigint NOT NULL,
    state character varying DEFAULT 'queued'::character varying NOT NULL,
    share double precision DEFAULT '0'::double precision NOT NULL,
    problem character varying,
    remedy character varying,
    recording_id bigint,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT ck_recording_job_state CHECK (((state)::text = ANY ((ARRAY['queued'::character varying, 'making'::character varying, 'done'::character varying, 'failed'::character varying])::text[])))
);


--
-- Name: recording_job_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.recording_job ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.recording_job_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: researcher_session; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.researcher_session (
    token_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: server_secret; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.server_secret (
    id bigint NOT NULL,
    participant_key bytea NOT NULL,
    setup_token character varying NOT NULL,
    password_hash character varying,
    CONSTRAINT ck_server_secret_one_row CHECK ((id = 1))
);


--
-- Name: session_metrics; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.session_metrics (
    recording_id bigint NOT NULL,
    check_forward_sent_packets bigint NOT NULL,
    check_forward_received_packets bigint NOT NULL,
    check_forward_dropped_packets bigint NOT NULL,
    check_backward_sent_packets bigint NOT NULL,
    check_backward_received_packets bigint NOT NULL,
    check_backward_dropped_packets bigint NOT NULL,
    packets bigint NOT NULL,
    payload_bytes bigint NOT NULL,
    unique_bytes bigint NOT NULL,
    delivered_bytes bigint NOT NULL,
    retransmitted_bytes bigint NOT NULL,
    retransmitted_packets bigint NOT NULL,
    retransmitted_share double precision NOT NULL,
    redundancy_share double precision NOT NULL,
    packet_payload_mean_bytes double precision NOT NULL,
    lost_packets_forward bigint NOT NULL,
    lost_packets_backward bigint NOT NULL,
    loss_share_forward double precision NOT NULL,
    loss_share_backward double precision NOT NULL,
    iat_mean_ms double precision NOT NULL,
    transport_per_byte_samples bigint NOT NULL,
    transport_per_byte_min_us double precision NOT NULL,
    transport_per_byte_mean_us double precision NOT NULL,
    transport_per_byte_p50_us double precision NOT NULL,
    transport_per_byte_p90_us double precision NOT NULL,
    transport_per_byte_p95_us double precision NOT NULL,
    transport_per_byte_p98_us double precision NOT NULL,
    transport_per_byte_p99_us double precision NOT NULL,
    transport_per_byte_p999_us double precision NOT NULL,
    transport_per_byte_max_us double precision NOT NULL,
    transport_per_message_samples bigint NOT NULL,
    transport_per_message_min_us double precision NOT NULL,
    transport_per_message_mean_us double precision NOT NULL,
    transport_per_message_p50_us double precision NOT NULL,
    transport_per_message_p90_us double precision NOT NULL,
    transport_per_message_p95_us double precision NOT NULL,
    transport_per_message_p98_us double precision NOT NULL,
    transport_per_message_p99_us double precision NOT NULL,
    transport_per_message_p999_us double precision NOT NULL,
    transport_per_message_max_us double precision NOT NULL,
    application_per_byte_samples bigint NOT NULL,
    application_per_byte_min_us double precision NOT NULL,
    application_per_byte_mean_us double precision NOT NULL,
    application_per_byte_p50_us double precision NOT NULL,
    application_per_byte_p90_us double precision NOT NULL,
    application_per_byte_p95_us double precision NOT NULL,
    application_per_byte_p98_us double precision NOT NULL,
    application_per_byte_p99_us double precision NOT NULL,
    application_per_byte_p999_us double precision NOT NULL,
    application_per_byte_max_us double precision NOT NULL,
    application_per_message_samples bigint NOT NULL,
    application_per_message_min_us double precision NOT NULL,
    application_per_message_mean_us double precision NOT NULL,
    application_per_message_p50_us double precision NOT NULL,
    application_per_message_p90_us double precision NOT NULL,
    application_per_message_p95_us double precision NOT NULL,
    application_per_message_p98_us double precision NOT NULL,
    application_per_message_p99_us double precision NOT NULL,
    application_per_message_p999_us double precision NOT NULL,
    application_per_message_max_us double precision NOT NULL,
    felt_share_later_than_100_ms double precision NOT NULL,
    felt_share_later_than_150_ms double precision NOT NULL,
    felt_share_later_than_400_ms double precision NOT NULL,
    felt_longest_stall_ms double precision NOT NULL,
    felt_messages bigint NOT NULL,
    felt_sojourn_samples bigint NOT NULL,
    felt_sojourn_min_us double precision NOT NULL,
    felt_sojourn_mean_us double precision NOT NULL,
    felt_sojourn_p50_us double precision NOT NULL,
    felt_sojourn_p90_us double precision NOT NULL,
    felt_sojourn_p95_us double precision NOT NULL,
    felt_sojourn_p98_us double precision NOT NULL,
    felt_sojourn_p99_us double precision NOT NULL,
    felt_sojourn_p999_us double precision NOT NULL,
    felt_sojourn_max_us double precision NOT NULL,
    playout_played_ms bigint NOT NULL,
    playout_gaps bigint NOT NULL,
    playout_concealed_ms double precision NOT NULL,
    playout_longest_gap_ms double precision NOT NULL,
    playout_stretched_ms double precision NOT NULL,
    playout_compressed_ms double precision NOT NULL,
    playout_dropped_ms double precision NOT NULL,
    playout_delay_mean_ms double precision NOT NULL,
    playout_delay_max_ms double precision NOT NULL,
    stream_ns bigint NOT NULL,
    wall_ns bigint NOT NULL,
    felt_share_later_than_50_ms double precision,
    tcp_info_rto_us bigint,
    tcp_info_rtt_us bigint,
    tcp_info_rttvar_us bigint,
    tcp_info_min_rtt_us bigint,
    tcp_info_snd_mss_bytes bigint,
    tcp_info_snd_cwnd bigint,
    tcp_info_snd_ssthresh bigint,
    tcp_info_reordering bigint,
    tcp_info_reord_seen bigint,
    tcp_info_segs_out bigint,
    tcp_info_data_segs_out bigint,
    tcp_info_total_retrans bigint,
    tcp_info_bytes_sent bigint,
    tcp_info_bytes_retrans bigint,
    tcp_info_bytes_acked bigint,
    tcp_info_dsack_dups bigint,
    tcp_info_busy_time_us bigint,
    tcp_info_total_rto bigint,
    tcp_info_total_rto_recoveries bigint,
    tcp_info_total_rto_time_ms bigint,
    tcp_info_thin_linear_timeouts bigint,
    tcp_info_thin_early_retrans bigint,
    tcp_info_rdb_bundles bigint,
    tcp_info_rdb_repairs bigint,
    tcp_info_rdb_dsacks bigint,
    tcp_info_rdb_congestion bigint,
    tcp_info_rdb_bytes bigint,
    copies_bundle_packets bigint,
    copies_bundled_bytes bigint,
    copies_bundle_hit_bytes bigint,
    copies_spurious_packets bigint,
    copies_spurious_bytes bigint
);


--
-- Name: study; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.study (
    id bigint NOT NULL,
    slug character varying NOT NULL,
    content_hash character varying NOT NULL,
    definition jsonb NOT NULL,
    is_current boolean NOT NULL,
    loaded_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: study_event; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.study_event (
    id bigint NOT NULL,
    slug character varying NOT NULL,
    study_id bigint NOT NULL,
    kind character varying NOT NULL,
    reason character varying,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: study_event_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.study_event ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.study_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: study_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.study ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.study_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: trial_recording; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.trial_recording (
    study_id bigint NOT NULL,
    trial_id character varying NOT NULL,
    member character varying NOT NULL,
    recording_id bigint NOT NULL,
    run bigint NOT NULL,
    CONSTRAINT ck_trial_recording_member CHECK (((member)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])))
);


--
-- Name: typing_session; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.typing_session (
    id bigint NOT NULL,
    presentation_id bigint NOT NULL,
    place character varying NOT NULL,
    attempt bigint NOT NULL,
    state character varying DEFAULT 'typing'::character varying NOT NULL,
    reason character varying,
    condition jsonb NOT NULL,
    seed bigint NOT NULL,
    task jsonb NOT NULL,
    language character varying NOT NULL,
    opened_at timestamp with time zone DEFAULT now() NOT NULL,
    ready_at timestamp with time zone,
    ended_at timestamp with time zone,
    "end" character varying,
    host character varying,
    host_build character varying,
    agent_version character varying,
    kernel_release character varying,
    transport character varying,
    reconnects bigint,
    link_rtt_p50_ms double precision,
    link_rtt_p95_ms double precision,
    link_jitter_ms double precision,
    clock_uncertainty_ms double precision,
    emulator_trustworthy boolean,
    final_text character varying,
    measures jsonb,
    result jsonb,
    CONSTRAINT ck_typing_session_place CHECK (((place)::text = ANY ((ARRAY['first'::character varying, 'second'::character varying])::text[]))),
    CONSTRAINT ck_typing_session_state CHECK (((state)::text = ANY ((ARRAY['typing'::character varying, 'done'::character varying, 'void'::character varying])::text[]))),
    CONSTRAINT ck_typing_session_void_has_a_reason CHECK ((((state)::text = 'void'::text) = (reason IS NOT NULL)))
);


--
-- Name: typing_session_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.typing_session ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.typing_session_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: vote; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.vote (
    id bigint NOT NULL,
    presentation_id bigint NOT NULL,
    vote_key uuid NOT NULL,
    choice character varying,
    plays_first bigint NOT NULL,
    plays_second bigint NOT NULL,
    switches bigint NOT NULL,
    decision_ms bigint NOT NULL,
    played_first character varying,
    output_latency_ms double precision,
    events jsonb NOT NULL,
    build character varying NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    score bigint,
    noticeable bigint,
    CONSTRAINT ck_vote_choice CHECK (((choice)::text = ANY ((ARRAY['first'::character varying, 'second'::character varying, 'no_difference'::character varying])::text[]))),
    CONSTRAINT ck_vote_choice_or_score CHECK (((choice IS NULL) <> (score IS NULL))),
    CONSTRAINT ck_vote_noticeable CHECK (((noticeable >= 1) AND (noticeable <= 4))),
    CONSTRAINT ck_vote_played_first CHECK (((played_first)::text = ANY ((ARRAY['first'::character varying, 'second'::character varying])::text[]))),
    CONSTRAINT ck_vote_score CHECK (((score >= '-3'::integer) AND (score <= 5)))
);


--
-- Name: vote_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.vote ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.vote_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Data for Name: alembic_version; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alembic_version VALUES ('0007');


--
-- Data for Name: allocation; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.allocation VALUES (1, 'trials', 1, 0);
INSERT INTO public.allocation VALUES (2, 'trials', 3, 0);
INSERT INTO public.allocation VALUES (3, 'trials', 3, 0);


--
-- Data for Name: demo; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.demo OVERRIDING SYSTEM VALUE VALUES (1, 'Ours', '{}', 'running', '2026-11-23 01:27:08.474859+00', NULL, NULL, 0, 'b', NULL, NULL);


--
-- Data for Name: demo_event; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.demo_event VALUES (1, 1, 1, 1.5, 'marked', 'presenter', 'Hm	\N
', '[0]', NULL);


--
-- Data for Name: demo_poll; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: demo_take; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: demo_vote; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: exclusion_entry; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: invitation; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: keystroke; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.keystroke VALUES (1, 1, 'character', false, NULL, 200000, 80000, 6000, 7000, 7100, 8000, 8100, 73550, 73650, 74550, 74650, 140100, 140200, 140600, 140700, 141100, 156100, 1, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (1, 2, 'character', false, NULL, 400000, 80000, 6000, 7000, 7100, 8000, 8100, 73600, 73700, 74600, 74700, 140200, 140300, 140700, 140800, 141200, 156200, 2, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (1, 3, 'backspace', false, NULL, 600000, 80000, 6000, 7000, 7100, 8000, 8100, 73650, 73750, 74650, 74750, 140300, 140400, 140800, 140900, 141300, 156300, 3, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (1, 4, 'character', false, NULL, 800000, 80000, 6000, 7000, 7100, 8000, 8100, 73700, 73800, 74700, 74800, 140400, 140500, 140900, 141000, 141400, 156400, 4, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (1, 5, 'character', false, NULL, 1000000, 80000, 6000, 7000, 7100, 8000, 8100, 198750, 198850, 199750, 199850, 390500, 390600, 391000, 391100, 391500, 406500, 5, 2, 1, 'timeout', 'none');
INSERT INTO public.keystroke VALUES (2, 1, 'character', false, NULL, 200000, 80000, 6000, 7000, 7100, 8000, 8100, 74050, 74150, 75050, 75150, 141100, 141200, 141600, 141700, 142100, 157100, 1, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (2, 2, 'character', false, NULL, 400000, 80000, 6000, 7000, 7100, 8000, 8100, 74100, 74200, 75100, 75200, 141200, 141300, 141700, 141800, 142200, 157200, 2, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (2, 3, 'backspace', false, NULL, 600000, 80000, 6000, 7000, 7100, 8000, 8100, 74150, 74250, 75150, 75250, 141300, 141400, 141800, 141900, 142300, 157300, 3, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (2, 4, 'character', false, NULL, 800000, 80000, 6000, 7000, 7100, 8000, 8100, 74200, 74300, 75200, 75300, 141400, 141500, 141900, 142000, 142400, 157400, 4, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (2, 5, 'character', false, NULL, 1000000, 80000, 6000, 7000, 7100, 8000, 8100, 199250, 199350, 200250, 200350, 391500, 391600, 392000, 392100, 392500, 407500, 5, 2, 1, 'timeout', 'none');
INSERT INTO public.keystroke VALUES (3, 1, 'character', false, NULL, 200000, 80000, 6000, 7000, 7100, 8000, 8100, 74550, 74650, 75550, 75650, 142100, 142200, 142600, 142700, 143100, 158100, 1, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (3, 2, 'character', false, NULL, 400000, 80000, 6000, 7000, 7100, 8000, 8100, 74600, 74700, 75600, 75700, 142200, 142300, 142700, 142800, 143200, 158200, 2, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (3, 3, 'backspace', false, NULL, 600000, 80000, 6000, 7000, 7100, 8000, 8100, 74650, 74750, 75650, 75750, 142300, 142400, 142800, 142900, 143300, 158300, 3, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (3, 4, 'character', false, NULL, 800000, 80000, 6000, 7000, 7100, 8000, 8100, 74700, 74800, 75700, 75800, 142400, 142500, 142900, 143000, 143400, 158400, 4, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (3, 5, 'character', false, NULL, 1000000, 80000, 6000, 7000, 7100, 8000, 8100, 199750, 199850, 200750, 200850, 392500, 392600, 393000, 393100, 393500, 408500, 5, 2, 1, 'timeout', 'none');
INSERT INTO public.keystroke VALUES (4, 1, 'character', false, NULL, 200000, 80000, 6000, 7000, 7100, 8000, 8100, 75050, 75150, 76050, 76150, 143100, 143200, 143600, 143700, 144100, 159100, 1, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (4, 2, 'character', false, NULL, 400000, 80000, 6000, 7000, 7100, 8000, 8100, 75100, 75200, 76100, 76200, 143200, 143300, 143700, 143800, 144200, 159200, 2, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (4, 3, 'backspace', false, NULL, 600000, 80000, 6000, 7000, 7100, 8000, 8100, 75150, 75250, 76150, 76250, 143300, 143400, 143800, 143900, 144300, 159300, 3, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (4, 4, 'character', false, NULL, 800000, 80000, 6000, 7000, 7100, 8000, 8100, 75200, 75300, 76200, 76300, 143400, 143500, 143900, 144000, 144400, 159400, 4, 1, 1, 'none', 'none');
INSERT INTO public.keystroke VALUES (4, 5, 'character', false, NULL, 1000000, 80000, 6000, 7000, 7100, 8000, 8100, 200250, 200350, 201250, 201350, 393500, 393600, 394000, 394100, 394500, 409500, 5, 2, 1, 'timeout', 'none');


--
-- Data for Name: participant; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.participant OVERRIDING SYSTEM VALUE VALUES (1, 'p-cd98be7f29', 1, 'fd400c28-20a0-4c4b-9d7e-ab3306a1cd68', '\xd8993bd2dea86f72d5aed1cf02929b4546e81589cd58735305a99ac371b71b83', '1', '2026-11-23 01:27:03.233597+00', '2026-11-23 01:27:05.277801+00', 'RTG4-2Q4X', 'person', 'en', '\xeece576c992679791ad5e47aa5a637aca1bf4bb2a5b6c0f295a61ff16e02b101', '2026-11-23 01:27:05.277801+00', '2026-11-23 01:27:03.497814+00', 50, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.participant OVERRIDING SYSTEM VALUE VALUES (2, 'p-64a0f5ef2a', 1, '35659227-4997-4d18-ab5d-1849b03b70e4', '\xb193696df1dbec5bf6b328c4970cf06bab81e91caf39cc771be13036085d8f3a', '1', '2026-11-23 01:27:05.435452+00', NULL, NULL, 'person', 'en', '\x57bffb4024648fa1fdd67d7b67ef4ed39e4169b82c46beb319741cded4859915', '2026-11-23 01:27:05.798577+00', '2026-11-23 01:27:05.604241+00', 50, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.participant OVERRIDING SYSTEM VALUE VALUES (3, 'p-d2956678a6', 3, 'e2b012c4-9c56-4af9-a5da-1f429b44ee66', '\xa5a33e915693f57181ebcac53349ab0e38c4e7f8474d622944281862a636cef5', '1', '2026-11-23 01:27:06.025406+00', '2026-11-23 01:27:08.119242+00', 'QXNG-XFDQ', 'person', 'en', '\xaf33ef436d59d7e7c66b20bb34ba55b8db3f815b67342e003dfbd7f26678d697', '2026-11-23 01:27:08.119242+00', '2026-11-23 01:27:06.157789+00', 50, NULL, NULL, NULL, NULL, NULL, false, '2026-11-23 01:27:06.209794+00', 1, true, 'webrtc', 12.5, 1.5, 0);


--
-- Data for Name: predicted_quality; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: presentation; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.presentation OVERRIDING SYSTEM VALUE VALUES (1, 1, 'speech', 1, 'b', 2, 1, 'ttypjmR-9kxSoR4tpI0k_QTkXrQ', 'Yc8atAQxJHmtg6byUOiIR7iw7kc', 'fPjGFbi7KZgBslnuuzuhuX144wI', '2026-11-23 01:27:03.700463+00', 'trials', false, 0, 'heard');
INSERT INTO public.presentation OVERRIDING SYSTEM VALUE VALUES (2, 1, 'control', 2, 'a', 5, 5, 's7ooDXZOJGmfRnZrXCU5BCw1McI', 'wOqfeEm-4ZkbEzH-vtiMD3j-PfY', 'lLPs7sIwfEBm-pAPzZqVwJ42nxE', '2026-11-23 01:27:03.700463+00', 'trials', false, 0, 'heard');
INSERT INTO public.presentation OVERRIDING SYSTEM VALUE VALUES (3, 1, 'song', 3, 'a', 3, 4, 'yA01JoeknwK3L96n9lCFqtuZk8o', 'Fyw1etY569-qzxkLtg43y17wzl0', 'jZjtAAui42k7jS5UIDzc1YU9IRc', '2026-11-23 01:27:03.700463+00', 'trials', false, 0, 'heard');
INSERT INTO public.presentation OVERRIDING SYSTEM VALUE VALUES (4, 2, 'song', 1, 'a', 3, 4, 'O6SsiOqFZEGOu8-Jklmo7FVbwN4', 'dcqWE2tolatFMBi14uUpdltx4e0', '-2sGm5kAy9cz-xOOzM57ynrKtqE', '2026-11-23 01:27:05.798577+00', 'trials', false, 0, 'heard');
INSERT INTO public.presentation OVERRIDING SYSTEM VALUE VALUES (5, 2, 'speech', 2, 'b', 2, 1, 'bH21mpaGAX1a8tyNAnsadmm9jj0', 'lwM9EmeC1GQy4-Su6m5vIFxsD7U', 'qXwl1bgIPRc9EsrD5OZEMP5GY90', '2026-11-23 01:27:05.798577+00', 'trials', false, 0, 'heard');
INSERT INTO public.presentation OVERRIDING SYSTEM VALUE VALUES (6, 2, 'control', 3, 'a', 5, 5, 'dnCdrSVS4VVVYchuMEcDlu3W_yc', '_bqy86eoItaHFsm1HSBe43HCcac', 'd3XS1CN7DzlIxeGtg0TRXdq-EiY', '2026-11-23 01:27:05.798577+00', 'trials', false, 0, 'heard');
INSERT INTO public.presentation OVERRIDING SYSTEM VALUE VALUES (7, 3, 'same', 1, 'a', NULL, NULL, 'rBpv9hL2l4XlhNFx-D80gZofA1g', 'pDLGPgrHpV-ssrgLS0AYsG6EVAk', 'sFEgB40sWUpfL2QFI8pZuewVMmM', '2026-11-23 01:27:06.325397+00', 'trials', false, 0, 'typed');
INSERT INTO public.presentation OVERRIDING SYSTEM VALUE VALUES (8, 3, 'copy', 2, 'b', NULL, NULL, '9J6VHakr-rio72ZuytDB0q9abrk', 'oh-LiWxqcm8yhwb-GmRuU-9eVEE', 'tSw4XA0dYqBJgggxyGhmmQa6kQk', '2026-11-23 01:27:06.325397+00', 'trials', false, 0, 'typed');


--
-- Data for Name: questionnaire_answer; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: recording; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.recording OVERRIDING SYSTEM VALUE VALUES (1, 'd048cdfb1cd122fb33b1d45895c9e396', 'speech', '9d376c4d820ae1649597bb3a1996c8fba2eedbf80aa1647805dc25b5cc0eceae', '{"mode": "off", "path": {"rtt_ms": 130.0, "forward": {"jitter_ms": 0.0, "loss_share": 0.02, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}, "backward": {"jitter_ms": 0.0, "loss_share": 0.02, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}}, "baseline": "newreno2008"}', 1, 'host-build', '0.1.0', '6.12.0-test', 100, 'c8b457dd99525d59cc0efc7c3f2a26b41022f6d6525f7f3a9f2ee4373acb7e81', '{"felt": {"sojourn": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 268667.8087955803, "min_us": 903103.0649847867, "p50_us": 310498.00280520355, "p90_us": 263677.48506320064, "p95_us": 433253.6451430429, "p98_us": 852652.1494006796, "p99_us": 698903.8491618851, "mean_us": 791209.1249916075, "p999_us": 907791.9389993057, "samples": 769831515}, "messages": 389512318, "longest_stall_ms": 592593.8766375757, "share_later_than_50_ms": 43041.57252683383, "share_later_than_100_ms": 496349.35596183315, "share_later_than_150_ms": 48607.21165475779, "share_later_than_400_ms": 19093.314921046156}, "check": {"forward": {"sent_packets": 3671862284, "dropped_packets": 667474564, "received_packets": 2675373228}, "backward": {"sent_packets": 529850891, "dropped_packets": 2176462502, "received_packets": 2236481992}}, "copies": {"bundled_bytes": 1293401263, "bundle_packets": 2180377265, "spurious_bytes": 702235029, "bundle_hit_bytes": 3652445331, "spurious_packets": 4041772673}, "metrics": {"packets": 450425323, "transport": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 270723.56119943963, "min_us": 906231.722463439, "p50_us": 299555.80522141367, "p90_us": 839747.2951464006, "p95_us": 596783.3214804084, "p98_us": 661560.6918539949, "p99_us": 169625.49236420632, "mean_us": 858459.794897734, "p999_us": 448649.5417756985, "samples": 2260392314}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 188261.43182747823, "min_us": 697099.8257981696, "p50_us": 190161.73750722877, "p90_us": 498857.94379699155, "p95_us": 399682.32062464603, "p98_us": 672136.2855203922, "p99_us": 702479.565905638, "mean_us": 566056.1601325502, "p999_us": 496722.68014721875, "samples": 2230409781}}, "application": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 759695.0400902224, "min_us": 563951.1401669504, "p50_us": 17050.680833997743, "p90_us": 787731.4285135944, "p95_us": 829497.8988662913, "p98_us": 464129.61523812526, "p99_us": 755738.3711219826, "mean_us": 748099.9314599244, "p999_us": 287324.65676344256, "samples": 1234254650}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 493476.03227308, "min_us": 199318.401019725, "p50_us": 68175.02383075058, "p90_us": 942009.6870149287, "p95_us": 215630.77962499933, "p98_us": 438408.02391054423, "p99_us": 210144.75619124694, "mean_us": 214310.8730457234, "p999_us": 654686.4364455221, "samples": 1301710484}}, "iat_mean_ms": 78898.9025528437, "unique_bytes": 900193595, "payload_bytes": 695296394, "delivered_bytes": 509431634, "redundancy_share": 253931.7147060739, "loss_share_forward": 481665.05182255694, "loss_share_backward": 274872.13976753334, "retransmitted_bytes": 2533090753, "retransmitted_share": 996497.1772577966, "lost_packets_forward": 950745064, "lost_packets_backward": 104794148, "retransmitted_packets": 3603910986, "packet_payload_mean_bytes": 184818.22678679382}, "playout": {"gaps": 1344832269, "played_ms": 1572143729, "dropped_ms": 149067.1667833805, "concealed_ms": 642595.4626207615, "delay_max_ms": 310229.16147673776, "stretched_ms": 667587.6775950412, "compressed_ms": 488408.6756374496, "delay_mean_ms": 106514.35787197606, "longest_gap_ms": 173569.00956091614}, "wall_ns": 1776143295, "counters": [], "tcp_info": {"rto_us": 888191930, "rtt_us": 41718249, "segs_out": 3640092541, "snd_cwnd": 2745289990, "rdb_bytes": 658501285, "rttvar_us": 409948727, "total_rto": 2729417196, "bytes_sent": 3730030800, "dsack_dups": 4047937118, "min_rtt_us": 1096081296, "rdb_dsacks": 2881100955, "reord_seen": 3161284498, "reordering": 1721836877, "bytes_acked": 1900882506, "rdb_bundles": 1759260640, "rdb_repairs": 185956186, "busy_time_us": 1266416231, "snd_ssthresh": 375402632, "bytes_retrans": 2316206574, "data_segs_out": 2726384854, "snd_mss_bytes": 1515942824, "total_retrans": 885741623, "rdb_congestion": 2707726487, "total_rto_time_ms": 2207928200, "thin_early_retrans": 576607655, "thin_linear_timeouts": 1406366002, "total_rto_recoveries": 3970609887}, "stream_ns": 4204492871, "playout_events": [{"kind": "concealed", "at_ms": 26.22649617055739, "length_ms": 0.0}, {"kind": "silent", "at_ms": 11.143991877107739, "length_ms": 1.0}, {"kind": "stretched", "at_ms": 39.644896039883626, "length_ms": 2.0}, {"kind": "compressed", "at_ms": 45.364331456310516, "length_ms": 3.0}, {"kind": "dropped", "at_ms": 43.48851359834679, "length_ms": 4.0}], "receiver_counters": []}', '2026-11-23 01:27:02.171008+00');
INSERT INTO public.recording OVERRIDING SYSTEM VALUE VALUES (2, '8abfb0006cebe935ec167b448bd8b548', 'speech', '9d376c4d820ae1649597bb3a1996c8fba2eedbf80aa1647805dc25b5cc0eceae', '{"mode": "linear_timeouts", "path": {"rtt_ms": 130.0, "forward": {"jitter_ms": 0.0, "loss_share": 0.02, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}, "backward": {"jitter_ms": 0.0, "loss_share": 0.02, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}}, "baseline": "newreno2008"}', 1, 'host-build', '0.1.0', '6.12.0-test', 100, 'd203b05c0d8a25b15812119c7fca42966ea7b24842f663cee43d50a03890c547', '{"felt": {"sojourn": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 608052.0507012344, "min_us": 717951.6460785235, "p50_us": 274933.89730423543, "p90_us": 83414.87164263228, "p95_us": 853234.3333158074, "p98_us": 721097.8901903096, "p99_us": 724813.5202994343, "mean_us": 801694.8348576565, "p999_us": 664068.2707571742, "samples": 3248981200}, "messages": 4242781046, "longest_stall_ms": 307719.57604796253, "share_later_than_50_ms": 397092.5552369555, "share_later_than_100_ms": 195573.94425637854, "share_later_than_150_ms": 277255.8183881442, "share_later_than_400_ms": 216158.512070868}, "check": {"forward": {"sent_packets": 1042894093, "dropped_packets": 1948665218, "received_packets": 1967141175}, "backward": {"sent_packets": 3582942188, "dropped_packets": 1508311314, "received_packets": 488418241}}, "copies": {"bundled_bytes": 2610370652, "bundle_packets": 1054809322, "spurious_bytes": 923137597, "bundle_hit_bytes": 1316035710, "spurious_packets": 2117669166}, "metrics": {"packets": 2662402958, "transport": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 268453.564634224, "min_us": 37796.30134435785, "p50_us": 250370.6678970512, "p90_us": 488597.0495281033, "p95_us": 316827.44737115543, "p98_us": 246828.19756684892, "p99_us": 498830.8071600263, "mean_us": 503645.3577493315, "p999_us": 872575.5636989794, "samples": 2677338843}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 564842.1968279697, "min_us": 12167.533206010272, "p50_us": 553606.3403439822, "p90_us": 539325.3890195196, "p95_us": 485843.20150547836, "p98_us": 91847.3229359883, "p99_us": 239463.606531494, "mean_us": 368082.82276894164, "p999_us": 320911.80858986604, "samples": 3503427480}}, "application": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 979164.178450948, "min_us": 114380.25623896431, "p50_us": 379025.9488184481, "p90_us": 848186.5503985607, "p95_us": 801448.8459916367, "p98_us": 724208.9687583104, "p99_us": 413730.61142090836, "mean_us": 670576.6419736372, "p999_us": 754781.7731164554, "samples": 3121104571}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 206776.77569531283, "min_us": 211109.270056566, "p50_us": 186056.39972912625, "p90_us": 407457.42725475767, "p95_us": 77754.60951505386, "p98_us": 521362.6422705206, "p99_us": 985785.4951252749, "mean_us": 779255.885872569, "p999_us": 780326.3153269222, "samples": 3139733409}}, "iat_mean_ms": 793981.6454174774, "unique_bytes": 1441996936, "payload_bytes": 2400490522, "delivered_bytes": 1974271050, "redundancy_share": 629510.853999379, "loss_share_forward": 199061.2523220582, "loss_share_backward": 536471.3378154461, "retransmitted_bytes": 3874327028, "retransmitted_share": 379571.1893086321, "lost_packets_forward": 2032160740, "lost_packets_backward": 2241484280, "retransmitted_packets": 2021234129, "packet_payload_mean_bytes": 301138.7364940128}, "playout": {"gaps": 2233520933, "played_ms": 2822394045, "dropped_ms": 520120.33945976646, "concealed_ms": 16906.428482669544, "delay_max_ms": 331165.32631444826, "stretched_ms": 392043.0630147891, "compressed_ms": 155261.81626984093, "delay_mean_ms": 57297.97993178787, "longest_gap_ms": 766478.7283455377}, "wall_ns": 2851093802, "counters": [], "tcp_info": {"rto_us": 603655908, "rtt_us": 4277011871, "segs_out": 3726714344, "snd_cwnd": 3982222334, "rdb_bytes": 3396525429, "rttvar_us": 3342400461, "total_rto": 2593164830, "bytes_sent": 2251344269, "dsack_dups": 1696931043, "min_rtt_us": 2023066362, "rdb_dsacks": 2586605296, "reord_seen": 1670117332, "reordering": 3293796006, "bytes_acked": 708093180, "rdb_bundles": 247289485, "rdb_repairs": 3312846026, "busy_time_us": 1513980632, "snd_ssthresh": 2573051913, "bytes_retrans": 2196667103, "data_segs_out": 1167924674, "snd_mss_bytes": 1725265565, "total_retrans": 3287668772, "rdb_congestion": 2442480986, "total_rto_time_ms": 2396878341, "thin_early_retrans": 4186726390, "thin_linear_timeouts": 3835291572, "total_rto_recoveries": 2570177486}, "stream_ns": 413911508, "playout_events": [{"kind": "concealed", "at_ms": 19.94413749063636, "length_ms": 0.0}, {"kind": "silent", "at_ms": 61.53033169770373, "length_ms": 1.0}, {"kind": "stretched", "at_ms": 86.76522379479054, "length_ms": 2.0}, {"kind": "compressed", "at_ms": 25.112871489011713, "length_ms": 3.0}, {"kind": "dropped", "at_ms": 93.82720283740127, "length_ms": 4.0}], "receiver_counters": []}', '2026-11-23 01:27:02.171008+00');
INSERT INTO public.recording OVERRIDING SYSTEM VALUE VALUES (3, '8e4f9992c1083f44adb4ae7f3605363d', 'song', 'fd2b0b994e344a50b65da861a591bae0900767c011675a670d0a0581c1bf01a9', '{"mode": "off", "path": {"rtt_ms": 130.0, "forward": {"jitter_ms": 0.0, "loss_share": 0.02, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}, "backward": {"jitter_ms": 0.0, "loss_share": 0.02, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}}, "baseline": "newreno2008"}', 2, 'host-build', '0.1.0', '6.12.0-test', 100, 'ef46b3ffc8a37725226f847162fd5117e71b0249958044a395771dd1d82b3c07', '{"felt": {"sojourn": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 112309.44334312287, "min_us": 438643.14177577203, "p50_us": 15675.298357532896, "p90_us": 39844.970623843066, "p95_us": 835708.3998721151, "p98_us": 152146.42774613353, "p99_us": 794407.9682864888, "mean_us": 963485.3643066885, "p999_us": 14317.590631653276, "samples": 368226738}, "messages": 2147368858, "longest_stall_ms": 978007.3807726227, "share_later_than_50_ms": 82520.21405717768, "share_later_than_100_ms": 186556.39713839244, "share_later_than_150_ms": 986791.18353858, "share_later_than_400_ms": 30896.676440843596}, "check": {"forward": {"sent_packets": 2631739750, "dropped_packets": 3684825041, "received_packets": 1566331944}, "backward": {"sent_packets": 2285487241, "dropped_packets": 2636966392, "received_packets": 1061407954}}, "copies": {"bundled_bytes": 3007756176, "bundle_packets": 3296276590, "spurious_bytes": 2716121507, "bundle_hit_bytes": 1222223566, "spurious_packets": 1449764506}, "metrics": {"packets": 3750136327, "transport": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 370377.82938416576, "min_us": 943409.0566567611, "p50_us": 347166.68317999324, "p90_us": 970953.8725520286, "p95_us": 126101.66693177483, "p98_us": 656517.7305326331, "p99_us": 392663.2020904054, "mean_us": 731380.8039671445, "p999_us": 677296.0976981563, "samples": 621571091}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 306846.6352867428, "min_us": 164101.33190887177, "p50_us": 803793.8802410159, "p90_us": 76219.97748283338, "p95_us": 932447.5396227968, "p98_us": 548987.4165617987, "p99_us": 633275.9250170958, "mean_us": 77267.83939802107, "p999_us": 70257.13980573045, "samples": 798853183}}, "application": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 559049.1500567081, "min_us": 498308.9159722743, "p50_us": 934571.9610147148, "p90_us": 546359.7922303517, "p95_us": 331950.8960863605, "p98_us": 945190.6693790157, "p99_us": 411309.6991365105, "mean_us": 889226.6120853472, "p999_us": 330263.01833289006, "samples": 733014054}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 524959.6414243593, "min_us": 545010.5106826877, "p50_us": 535420.6832195082, "p90_us": 31483.458967139777, "p95_us": 492488.25590512215, "p98_us": 977189.5454445678, "p99_us": 89720.10297423505, "mean_us": 594868.710056388, "p999_us": 917886.6374115599, "samples": 3831118539}}, "iat_mean_ms": 35769.60281282626, "unique_bytes": 1370707736, "payload_bytes": 999892588, "delivered_bytes": 3239010117, "redundancy_share": 33934.870948193915, "loss_share_forward": 632985.0801162579, "loss_share_backward": 267330.5198915794, "retransmitted_bytes": 3672735547, "retransmitted_share": 741663.8641626096, "lost_packets_forward": 427332800, "lost_packets_backward": 2792323490, "retransmitted_packets": 2560968691, "packet_payload_mean_bytes": 835739.5321415248}, "playout": {"gaps": 3139712476, "played_ms": 1811223231, "dropped_ms": 781590.9543136148, "concealed_ms": 420389.3238644887, "delay_max_ms": 615327.3134422293, "stretched_ms": 776457.856647736, "compressed_ms": 963347.6098999311, "delay_mean_ms": 96518.59381591155, "longest_gap_ms": 229836.29975030283}, "wall_ns": 1577780465, "counters": [], "tcp_info": {"rto_us": 1006523579, "rtt_us": 3520246692, "segs_out": 3986989499, "snd_cwnd": 1750288060, "rdb_bytes": 1816314674, "rttvar_us": 1675282943, "total_rto": 3814334270, "bytes_sent": 3926737290, "dsack_dups": 3007360842, "min_rtt_us": 2824407107, "rdb_dsacks": 3815863428, "reord_seen": 448122667, "reordering": 1196142762, "bytes_acked": 105280884, "rdb_bundles": 3368747277, "rdb_repairs": 2116739455, "busy_time_us": 1837861636, "snd_ssthresh": 2369201026, "bytes_retrans": 295812698, "data_segs_out": 3009802482, "snd_mss_bytes": 3681929206, "total_retrans": 1957277134, "rdb_congestion": 2591977695, "total_rto_time_ms": 1201288089, "thin_early_retrans": 273541262, "thin_linear_timeouts": 2590432400, "total_rto_recoveries": 1184538996}, "stream_ns": 1557544051, "playout_events": [{"kind": "concealed", "at_ms": 64.99737502755396, "length_ms": 0.0}, {"kind": "silent", "at_ms": 47.506914137878766, "length_ms": 1.0}, {"kind": "stretched", "at_ms": 47.361906144995224, "length_ms": 2.0}, {"kind": "compressed", "at_ms": 1.078063419927111, "length_ms": 3.0}, {"kind": "dropped", "at_ms": 12.924943155537505, "length_ms": 4.0}], "receiver_counters": []}', '2026-11-23 01:27:02.171008+00');
INSERT INTO public.recording OVERRIDING SYSTEM VALUE VALUES (4, '75f2daebd91cd9ac927207d941f63c00', 'song', 'fd2b0b994e344a50b65da861a591bae0900767c011675a670d0a0581c1bf01a9', '{"mode": "linear_timeouts", "path": {"rtt_ms": 130.0, "forward": {"jitter_ms": 0.0, "loss_share": 0.02, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}, "backward": {"jitter_ms": 0.0, "loss_share": 0.02, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}}, "baseline": "newreno2008"}', 2, 'host-build', '0.1.0', '6.12.0-test', 100, 'd24be662ee72aeafc6e604c4b2231e79e9072544bbc45c093a9ff3a226501a13', '{"felt": {"sojourn": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 53129.50329959998, "min_us": 200318.56179227613, "p50_us": 865391.3363096637, "p90_us": 810368.9361651045, "p95_us": 833761.1433115938, "p98_us": 974279.4519920583, "p99_us": 229861.80346589224, "mean_us": 483859.25065967615, "p999_us": 509118.7644832875, "samples": 3846464231}, "messages": 2035354303, "longest_stall_ms": 590817.3005893679, "share_later_than_50_ms": 114944.69350006753, "share_later_than_100_ms": 623030.6919398971, "share_later_than_150_ms": 562389.4311492045, "share_later_than_400_ms": 46197.35753630039}, "check": {"forward": {"sent_packets": 2761305646, "dropped_packets": 2012853763, "received_packets": 1601757903}, "backward": {"sent_packets": 2449433831, "dropped_packets": 2305433173, "received_packets": 4019711235}}, "copies": {"bundled_bytes": 3348412599, "bundle_packets": 4263147166, "spurious_bytes": 1485618074, "bundle_hit_bytes": 2977827720, "spurious_packets": 2821281111}, "metrics": {"packets": 3761465687, "transport": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 453580.01955791836, "min_us": 7506.7995012676465, "p50_us": 605873.2554927312, "p90_us": 787928.713356526, "p95_us": 338859.2442193332, "p98_us": 646337.8601986343, "p99_us": 450913.1557205321, "mean_us": 797640.0313327883, "p999_us": 339633.7701690022, "samples": 3274008746}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 374100.7899900991, "min_us": 341884.32071767893, "p50_us": 198285.92707853642, "p90_us": 205357.7805897605, "p95_us": 930063.7879177232, "p98_us": 140724.77653018144, "p99_us": 160369.84203851357, "mean_us": 952606.4572599202, "p999_us": 554060.3651678726, "samples": 3505436380}}, "application": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 46640.2562911733, "min_us": 187162.5039510425, "p50_us": 378495.6307558858, "p90_us": 617939.2668659955, "p95_us": 413545.41541122703, "p98_us": 321470.9688926135, "p99_us": 519808.88977970305, "mean_us": 323106.8896782906, "p999_us": 627499.5273819817, "samples": 139755475}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 20303.57398527316, "min_us": 258197.73740584584, "p50_us": 376916.5417745216, "p90_us": 44589.47454088591, "p95_us": 797076.8359194095, "p98_us": 308916.9772769045, "p99_us": 919758.1594878318, "mean_us": 378564.153482814, "p999_us": 181727.78325899242, "samples": 1452293492}}, "iat_mean_ms": 442251.0349840364, "unique_bytes": 3172373656, "payload_bytes": 323212047, "delivered_bytes": 1399911364, "redundancy_share": 150278.72294659793, "loss_share_forward": 25547.013662991725, "loss_share_backward": 776343.2971316733, "retransmitted_bytes": 3052339581, "retransmitted_share": 6874.927137679787, "lost_packets_forward": 3365149307, "lost_packets_backward": 2921081865, "retransmitted_packets": 1808332933, "packet_payload_mean_bytes": 512422.6514434862}, "playout": {"gaps": 1266116078, "played_ms": 257711676, "dropped_ms": 284838.1374244102, "concealed_ms": 213883.21481082152, "delay_max_ms": 399418.60146784515, "stretched_ms": 233332.8948360739, "compressed_ms": 308997.13168332767, "delay_mean_ms": 52644.48736455796, "longest_gap_ms": 461617.16964224045}, "wall_ns": 2893696032, "counters": [], "tcp_info": {"rto_us": 107886780, "rtt_us": 1914626229, "segs_out": 1276867838, "snd_cwnd": 2139711326, "rdb_bytes": 2340768337, "rttvar_us": 662873554, "total_rto": 2081451939, "bytes_sent": 2430180873, "dsack_dups": 2263888158, "min_rtt_us": 562912347, "rdb_dsacks": 2196201847, "reord_seen": 4021788272, "reordering": 2094728569, "bytes_acked": 3958384619, "rdb_bundles": 2724229834, "rdb_repairs": 2452312716, "busy_time_us": 877053050, "snd_ssthresh": 1614937045, "bytes_retrans": 3064929080, "data_segs_out": 3759757560, "snd_mss_bytes": 584240888, "total_retrans": 301700899, "rdb_congestion": 1455649866, "total_rto_time_ms": 1416387221, "thin_early_retrans": 3350932661, "thin_linear_timeouts": 2699422043, "total_rto_recoveries": 4086341676}, "stream_ns": 2290059155, "playout_events": [{"kind": "concealed", "at_ms": 81.88955525340484, "length_ms": 0.0}, {"kind": "silent", "at_ms": 63.63128499269071, "length_ms": 1.0}, {"kind": "stretched", "at_ms": 29.282924404193988, "length_ms": 2.0}, {"kind": "compressed", "at_ms": 29.04529679663399, "length_ms": 3.0}, {"kind": "dropped", "at_ms": 59.95506063869873, "length_ms": 4.0}], "receiver_counters": []}', '2026-11-23 01:27:02.171008+00');
INSERT INTO public.recording OVERRIDING SYSTEM VALUE VALUES (5, '7a1cefd16e9c19acc38e878c13e455bf', 'song', 'fd2b0b994e344a50b65da861a591bae0900767c011675a670d0a0581c1bf01a9', '{"mode": "off", "path": {"rtt_ms": 130.0, "forward": {"jitter_ms": 0.0, "loss_share": 0.02, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}, "backward": {"jitter_ms": 0.0, "loss_share": 0.02, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}}, "baseline": "newreno2008"}', 3, 'host-build', '0.1.0', '6.12.0-test', 100, '2569b9dbc4554ca0ed91ffa6dbad72394b515af468173a3bcaf3f1015e80c9b3', '{"felt": {"sojourn": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 466715.31005041965, "min_us": 307582.49494201376, "p50_us": 997771.7102321432, "p90_us": 203930.81993382555, "p95_us": 197753.60111642792, "p98_us": 293632.9214920145, "p99_us": 11250.01931375369, "mean_us": 257200.99006552587, "p999_us": 375986.78188006463, "samples": 1204399977}, "messages": 2612242272, "longest_stall_ms": 846091.797131128, "share_later_than_50_ms": 390089.85746297985, "share_later_than_100_ms": 563432.297085523, "share_later_than_150_ms": 951720.4858538292, "share_later_than_400_ms": 164479.08015368518}, "check": {"forward": {"sent_packets": 2681243230, "dropped_packets": 1093915064, "received_packets": 1789702935}, "backward": {"sent_packets": 5690703, "dropped_packets": 3443183403, "received_packets": 639998708}}, "copies": {"bundled_bytes": 586315657, "bundle_packets": 816688629, "spurious_bytes": 1869984975, "bundle_hit_bytes": 2892596107, "spurious_packets": 1175850780}, "metrics": {"packets": 1310471055, "transport": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 543630.6504676815, "min_us": 192778.15264742536, "p50_us": 233928.96876703683, "p90_us": 701101.1470878287, "p95_us": 252812.02916585977, "p98_us": 3980.994523586134, "p99_us": 553271.3205395426, "mean_us": 872144.0258213767, "p999_us": 402462.2171399695, "samples": 1423658123}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 423640.48405913456, "min_us": 296713.25827579753, "p50_us": 634713.3377638434, "p90_us": 115824.05215704905, "p95_us": 506762.4333403318, "p98_us": 108476.66246434074, "p99_us": 800922.962880154, "mean_us": 4508.41982863559, "p999_us": 486820.5758507836, "samples": 1431519127}}, "application": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 800547.3922064367, "min_us": 209967.95984308136, "p50_us": 110615.86124871459, "p90_us": 362517.22143148514, "p95_us": 113117.49716212826, "p98_us": 440257.8565703439, "p99_us": 258962.27831090157, "mean_us": 645640.3497368804, "p999_us": 828291.5325587942, "samples": 1742951291}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 18968.78498297516, "min_us": 104562.26668594504, "p50_us": 664339.5375703365, "p90_us": 77878.3654346341, "p95_us": 946189.3339198163, "p98_us": 427984.66940582026, "p99_us": 435385.76200260513, "mean_us": 979914.0970525765, "p999_us": 719345.9834110752, "samples": 3699394498}}, "iat_mean_ms": 676855.0966590712, "unique_bytes": 2268172173, "payload_bytes": 2872009007, "delivered_bytes": 129425796, "redundancy_share": 231375.41188061485, "loss_share_forward": 360968.4706322982, "loss_share_backward": 873533.0265464688, "retransmitted_bytes": 696445102, "retransmitted_share": 32205.70682754975, "lost_packets_forward": 3783285545, "lost_packets_backward": 1414178678, "retransmitted_packets": 1786844630, "packet_payload_mean_bytes": 941424.6598265832}, "playout": {"gaps": 3602104833, "played_ms": 1534572195, "dropped_ms": 728409.8760306321, "concealed_ms": 563200.0590744101, "delay_max_ms": 320243.23348081805, "stretched_ms": 147139.86790898058, "compressed_ms": 45533.737628092094, "delay_mean_ms": 784232.6386321934, "longest_gap_ms": 819841.2311553662}, "wall_ns": 835776509, "counters": [], "tcp_info": {"rto_us": 709010373, "rtt_us": 2539359574, "segs_out": 2332595309, "snd_cwnd": 4080218081, "rdb_bytes": 2569375430, "rttvar_us": 3877391337, "total_rto": 3408192692, "bytes_sent": 1187199150, "dsack_dups": 2592499309, "min_rtt_us": 1987979750, "rdb_dsacks": 4046002185, "reord_seen": 1019437113, "reordering": 853571495, "bytes_acked": 1493080404, "rdb_bundles": 979074037, "rdb_repairs": 3579739255, "busy_time_us": 2435184139, "snd_ssthresh": 1670731363, "bytes_retrans": 1558002442, "data_segs_out": 1665509398, "snd_mss_bytes": 3540545253, "total_retrans": 2002860963, "rdb_congestion": 2343502959, "total_rto_time_ms": 2974846592, "thin_early_retrans": 1239348625, "thin_linear_timeouts": 3934595320, "total_rto_recoveries": 325659187}, "stream_ns": 38504188, "playout_events": [{"kind": "concealed", "at_ms": 53.81320006239697, "length_ms": 0.0}, {"kind": "silent", "at_ms": 62.68077774895862, "length_ms": 1.0}, {"kind": "stretched", "at_ms": 37.06895744441005, "length_ms": 2.0}, {"kind": "compressed", "at_ms": 14.127981917966814, "length_ms": 3.0}, {"kind": "dropped", "at_ms": 75.05241269635424, "length_ms": 4.0}], "receiver_counters": []}', '2026-11-23 01:27:02.171008+00');


--
-- Data for Name: recording_job; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: researcher_session; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.researcher_session VALUES ('\xdc7a1ccf56458b9c852d64ab136883fed479ac466832e8f228eb1ad1346a1fb1', '2026-11-23 01:27:02.919819+00', '2026-12-23 01:27:02.919819+00');


--
-- Data for Name: server_secret; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.server_secret VALUES (1, '\x03fd878ded32b66fe32792f637a78c4689c8bce08519b964d0058d972f645254', 'LR1RA7GKvA9pCNuqfG_ez5CwQyM', '$argon2id$v=19$m=8,t=1,p=1$NlTJjRlv/zXks1MY2ZFHcA$kAsZxyqecJ+zKLDTCtoonwDbt5hxvQKvm/X8NJZDH50');


--
-- Data for Name: session_metrics; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.session_metrics VALUES (1, 3671862284, 2675373228, 667474564, 529850891, 2236481992, 2176462502, 450425323, 695296394, 900193595, 509431634, 2533090753, 3603910986, 996497.1772577966, 253931.7147060739, 184818.22678679382, 950745064, 104794148, 481665.05182255694, 274872.13976753334, 78898.9025528437, 2260392314, 906231.722463439, 858459.794897734, 299555.80522141367, 839747.2951464006, 596783.3214804084, 661560.6918539949, 169625.49236420632, 448649.5417756985, 270723.56119943963, 2230409781, 697099.8257981696, 566056.1601325502, 190161.73750722877, 498857.94379699155, 399682.32062464603, 672136.2855203922, 702479.565905638, 496722.68014721875, 188261.43182747823, 1234254650, 563951.1401669504, 748099.9314599244, 17050.680833997743, 787731.4285135944, 829497.8988662913, 464129.61523812526, 755738.3711219826, 287324.65676344256, 759695.0400902224, 1301710484, 199318.401019725, 214310.8730457234, 68175.02383075058, 942009.6870149287, 215630.77962499933, 438408.02391054423, 210144.75619124694, 654686.4364455221, 493476.03227308, 496349.35596183315, 48607.21165475779, 19093.314921046156, 592593.8766375757, 389512318, 769831515, 903103.0649847867, 791209.1249916075, 310498.00280520355, 263677.48506320064, 433253.6451430429, 852652.1494006796, 698903.8491618851, 907791.9389993057, 268667.8087955803, 1572143729, 1344832269, 642595.4626207615, 173569.00956091614, 667587.6775950412, 488408.6756374496, 149067.1667833805, 106514.35787197606, 310229.16147673776, 4204492871, 1776143295, 43041.57252683383, 888191930, 41718249, 409948727, 1096081296, 1515942824, 2745289990, 375402632, 1721836877, 3161284498, 3640092541, 2726384854, 885741623, 3730030800, 2316206574, 1900882506, 4047937118, 1266416231, 2729417196, 3970609887, 2207928200, 1406366002, 576607655, 1759260640, 185956186, 2881100955, 2707726487, 658501285, 2180377265, 1293401263, 3652445331, 4041772673, 702235029);
INSERT INTO public.session_metrics VALUES (2, 1042894093, 1967141175, 1948665218, 3582942188, 488418241, 1508311314, 2662402958, 2400490522, 1441996936, 1974271050, 3874327028, 2021234129, 379571.1893086321, 629510.853999379, 301138.7364940128, 2032160740, 2241484280, 199061.2523220582, 536471.3378154461, 793981.6454174774, 2677338843, 37796.30134435785, 503645.3577493315, 250370.6678970512, 488597.0495281033, 316827.44737115543, 246828.19756684892, 498830.8071600263, 872575.5636989794, 268453.564634224, 3503427480, 12167.533206010272, 368082.82276894164, 553606.3403439822, 539325.3890195196, 485843.20150547836, 91847.3229359883, 239463.606531494, 320911.80858986604, 564842.1968279697, 3121104571, 114380.25623896431, 670576.6419736372, 379025.9488184481, 848186.5503985607, 801448.8459916367, 724208.9687583104, 413730.61142090836, 754781.7731164554, 979164.178450948, 3139733409, 211109.270056566, 779255.885872569, 186056.39972912625, 407457.42725475767, 77754.60951505386, 521362.6422705206, 985785.4951252749, 780326.3153269222, 206776.77569531283, 195573.94425637854, 277255.8183881442, 216158.512070868, 307719.57604796253, 4242781046, 3248981200, 717951.6460785235, 801694.8348576565, 274933.89730423543, 83414.87164263228, 853234.3333158074, 721097.8901903096, 724813.5202994343, 664068.2707571742, 608052.0507012344, 2822394045, 2233520933, 16906.428482669544, 766478.7283455377, 392043.0630147891, 155261.81626984093, 520120.33945976646, 57297.97993178787, 331165.32631444826, 413911508, 2851093802, 397092.5552369555, 603655908, 4277011871, 3342400461, 2023066362, 1725265565, 3982222334, 2573051913, 3293796006, 1670117332, 3726714344, 1167924674, 3287668772, 2251344269, 2196667103, 708093180, 1696931043, 1513980632, 2593164830, 2570177486, 2396878341, 3835291572, 4186726390, 247289485, 3312846026, 2586605296, 2442480986, 3396525429, 1054809322, 2610370652, 1316035710, 2117669166, 923137597);
INSERT INTO public.session_metrics VALUES (3, 2631739750, 1566331944, 3684825041, 2285487241, 1061407954, 2636966392, 3750136327, 999892588, 1370707736, 3239010117, 3672735547, 2560968691, 741663.8641626096, 33934.870948193915, 835739.5321415248, 427332800, 2792323490, 632985.0801162579, 267330.5198915794, 35769.60281282626, 621571091, 943409.0566567611, 731380.8039671445, 347166.68317999324, 970953.8725520286, 126101.66693177483, 656517.7305326331, 392663.2020904054, 677296.0976981563, 370377.82938416576, 798853183, 164101.33190887177, 77267.83939802107, 803793.8802410159, 76219.97748283338, 932447.5396227968, 548987.4165617987, 633275.9250170958, 70257.13980573045, 306846.6352867428, 733014054, 498308.9159722743, 889226.6120853472, 934571.9610147148, 546359.7922303517, 331950.8960863605, 945190.6693790157, 411309.6991365105, 330263.01833289006, 559049.1500567081, 3831118539, 545010.5106826877, 594868.710056388, 535420.6832195082, 31483.458967139777, 492488.25590512215, 977189.5454445678, 89720.10297423505, 917886.6374115599, 524959.6414243593, 186556.39713839244, 986791.18353858, 30896.676440843596, 978007.3807726227, 2147368858, 368226738, 438643.14177577203, 963485.3643066885, 15675.298357532896, 39844.970623843066, 835708.3998721151, 152146.42774613353, 794407.9682864888, 14317.590631653276, 112309.44334312287, 1811223231, 3139712476, 420389.3238644887, 229836.29975030283, 776457.856647736, 963347.6098999311, 781590.9543136148, 96518.59381591155, 615327.3134422293, 1557544051, 1577780465, 82520.21405717768, 1006523579, 3520246692, 1675282943, 2824407107, 3681929206, 1750288060, 2369201026, 1196142762, 448122667, 3986989499, 3009802482, 1957277134, 3926737290, 295812698, 105280884, 3007360842, 1837861636, 3814334270, 1184538996, 1201288089, 2590432400, 273541262, 3368747277, 2116739455, 3815863428, 2591977695, 1816314674, 3296276590, 3007756176, 1222223566, 1449764506, 2716121507);
INSERT INTO public.session_metrics VALUES (4, 2761305646, 1601757903, 2012853763, 2449433831, 4019711235, 2305433173, 3761465687, 323212047, 3172373656, 1399911364, 3052339581, 1808332933, 6874.927137679787, 150278.72294659793, 512422.6514434862, 3365149307, 2921081865, 25547.013662991725, 776343.2971316733, 442251.0349840364, 3274008746, 7506.7995012676465, 797640.0313327883, 605873.2554927312, 787928.713356526, 338859.2442193332, 646337.8601986343, 450913.1557205321, 339633.7701690022, 453580.01955791836, 3505436380, 341884.32071767893, 952606.4572599202, 198285.92707853642, 205357.7805897605, 930063.7879177232, 140724.77653018144, 160369.84203851357, 554060.3651678726, 374100.7899900991, 139755475, 187162.5039510425, 323106.8896782906, 378495.6307558858, 617939.2668659955, 413545.41541122703, 321470.9688926135, 519808.88977970305, 627499.5273819817, 46640.2562911733, 1452293492, 258197.73740584584, 378564.153482814, 376916.5417745216, 44589.47454088591, 797076.8359194095, 308916.9772769045, 919758.1594878318, 181727.78325899242, 20303.57398527316, 623030.6919398971, 562389.4311492045, 46197.35753630039, 590817.3005893679, 2035354303, 3846464231, 200318.56179227613, 483859.25065967615, 865391.3363096637, 810368.9361651045, 833761.1433115938, 974279.4519920583, 229861.80346589224, 509118.7644832875, 53129.50329959998, 257711676, 1266116078, 213883.21481082152, 461617.16964224045, 233332.8948360739, 308997.13168332767, 284838.1374244102, 52644.48736455796, 399418.60146784515, 2290059155, 2893696032, 114944.69350006753, 107886780, 1914626229, 662873554, 562912347, 584240888, 2139711326, 1614937045, 2094728569, 4021788272, 1276867838, 3759757560, 301700899, 2430180873, 3064929080, 3958384619, 2263888158, 877053050, 2081451939, 4086341676, 1416387221, 2699422043, 3350932661, 2724229834, 2452312716, 2196201847, 1455649866, 2340768337, 4263147166, 3348412599, 2977827720, 2821281111, 1485618074);
INSERT INTO public.session_metrics VALUES (5, 2681243230, 1789702935, 1093915064, 5690703, 639998708, 3443183403, 1310471055, 2872009007, 2268172173, 129425796, 696445102, 1786844630, 32205.70682754975, 231375.41188061485, 941424.6598265832, 3783285545, 1414178678, 360968.4706322982, 873533.0265464688, 676855.0966590712, 1423658123, 192778.15264742536, 872144.0258213767, 233928.96876703683, 701101.1470878287, 252812.02916585977, 3980.994523586134, 553271.3205395426, 402462.2171399695, 543630.6504676815, 1431519127, 296713.25827579753, 4508.41982863559, 634713.3377638434, 115824.05215704905, 506762.4333403318, 108476.66246434074, 800922.962880154, 486820.5758507836, 423640.48405913456, 1742951291, 209967.95984308136, 645640.3497368804, 110615.86124871459, 362517.22143148514, 113117.49716212826, 440257.8565703439, 258962.27831090157, 828291.5325587942, 800547.3922064367, 3699394498, 104562.26668594504, 979914.0970525765, 664339.5375703365, 77878.3654346341, 946189.3339198163, 427984.66940582026, 435385.76200260513, 719345.9834110752, 18968.78498297516, 563432.297085523, 951720.4858538292, 164479.08015368518, 846091.797131128, 2612242272, 1204399977, 307582.49494201376, 257200.99006552587, 997771.7102321432, 203930.81993382555, 197753.60111642792, 293632.9214920145, 11250.01931375369, 375986.78188006463, 466715.31005041965, 1534572195, 3602104833, 563200.0590744101, 819841.2311553662, 147139.86790898058, 45533.737628092094, 728409.8760306321, 784232.6386321934, 320243.23348081805, 38504188, 835776509, 390089.85746297985, 709010373, 2539359574, 3877391337, 1987979750, 3540545253, 4080218081, 1670731363, 853571495, 1019437113, 2332595309, 1665509398, 2002860963, 1187199150, 1558002442, 1493080404, 2592499309, 2435184139, 3408192692, 325659187, 2974846592, 3934595320, 1239348625, 979074037, 3579739255, 4046002185, 2343502959, 2569375430, 816688629, 586315657, 2892596107, 1175850780, 1869984975);


--
-- Data for Name: study; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.study OVERRIDING SYSTEM VALUE VALUES (1, 'demo', 'e196b8c45f23bac22ca1099911bf7bdae7b00ed85c4f617560407f853744d9e4', '{"open": true, "slug": "demo", "stop": null, "tasks": {}, "title": "Which one?", "access": "link", "blocks": [{"id": "trials", "role": "trials", "order": "balanced", "scale": {"kind": "preference", "answers": {"first": "The first", "second": "The second", "no_difference": "No difference"}, "question": "Which do you like better?", "noticeable": null}, "sides": "balanced", "trials": [{"id": "speech", "clip": "speech", "kind": "pair", "runs": 1, "seed": 1, "task": null, "matched": true, "conditions": ["plain", "modified"]}, {"id": "song", "clip": "song", "kind": "pair", "runs": 1, "seed": 2, "task": null, "matched": true, "conditions": ["plain", "modified"]}, {"id": "control", "clip": "song", "kind": "control", "runs": 1, "seed": 3, "task": null, "condition": "plain"}], "playback": "free", "break_every": null, "introduction": null}], "listed": true, "quotas": [], "record": "at_start", "sample": null, "consent": {"version": "1", "paragraphs": ["You may stop."]}, "contact": null, "analysis": null, "exclusion": [], "keep_text": false, "languages": ["en"], "conditions": {"plain": {"mode": "off", "path": {"rtt_ms": 130.0, "forward": {"jitter_ms": 0.0, "loss_share": 0.02, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}, "backward": {"jitter_ms": 0.0, "loss_share": 0.02, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}}, "baseline": "newreno2008"}, "modified": {"mode": "linear_timeouts", "path": {"rtt_ms": 130.0, "forward": {"jitter_ms": 0.0, "loss_share": 0.02, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}, "backward": {"jitter_ms": 0.0, "loss_share": 0.02, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}}, "baseline": "newreno2008"}}, "connection": {"rtt_ms_at_most": 150.0, "jitter_ms_at_most": 30.0, "lost_share_at_most": 0.02}, "headphones": "any", "description": "Two sounds, three times.", "sound_check": "check", "questionnaire": [], "votes_visible": "always", "retention_days": null}', true, '2026-11-23 01:27:01.109659+00');
INSERT INTO public.study OVERRIDING SYSTEM VALUE VALUES (3, 'typing', 'dbf8b30d9bf0e67a5175f3e63bf861b4ea44171be89071103648c7feeb3e0d3a', '{"open": true, "slug": "typing", "stop": null, "tasks": {"mistakes": {"kind": "correct", "text": "A {tihn|thin} stream.", "editor": "nano", "limit_s": 60, "least_keys": 3}, "sentences": {"kind": "copy", "text": "A thin\nstream.", "editor": "nano", "limit_s": 60, "least_keys": 5}}, "title": "Which one?", "access": "link", "blocks": [{"id": "trials", "role": "trials", "order": "balanced", "scale": {"kind": "preference", "answers": {"first": "The first", "second": "The second", "no_difference": "No difference"}, "question": "Which do you like better?", "noticeable": {"labels": {"1": "Step 1", "2": "Step 2", "3": "Step 3", "4": "Step 4"}, "question": "How noticeable was it?"}}, "sides": "balanced", "trials": [{"id": "copy", "clip": null, "kind": "pair", "runs": 1, "seed": 1, "task": "sentences", "matched": true, "conditions": ["plain", "modified"]}, {"id": "same", "clip": null, "kind": "control", "runs": 1, "seed": 3, "task": "mistakes", "condition": "plain"}], "playback": "free", "break_every": null, "introduction": null}], "listed": true, "quotas": [], "record": "on_demand", "sample": null, "consent": {"version": "1", "paragraphs": ["You may stop."]}, "contact": null, "analysis": null, "exclusion": [], "keep_text": false, "languages": ["en"], "conditions": {"plain": {"mode": "off", "path": {"rtt_ms": 130.0, "forward": {"jitter_ms": 0.0, "loss_share": 0.05, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}, "backward": {"jitter_ms": 0.0, "loss_share": 0.05, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}}, "baseline": "newreno2008"}, "modified": {"mode": "all", "path": {"rtt_ms": 130.0, "forward": {"jitter_ms": 0.0, "loss_share": 0.05, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}, "backward": {"jitter_ms": 0.0, "loss_share": 0.05, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}}, "baseline": "newreno2008"}}, "connection": {"rtt_ms_at_most": 150.0, "jitter_ms_at_most": 30.0, "lost_share_at_most": 0.02}, "headphones": "any", "description": "Twice the same to type.", "sound_check": null, "questionnaire": [], "votes_visible": "always", "retention_days": null}', true, '2026-11-23 01:27:01.832354+00');


--
-- Data for Name: study_event; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.study_event OVERRIDING SYSTEM VALUE VALUES (1, 'demo', 1, 'shown', NULL, '{}', '2026-11-23 01:27:08.910698+00');
INSERT INTO public.study_event OVERRIDING SYSTEM VALUE VALUES (2, 'typing', 3, 'shown', NULL, '{}', '2026-11-23 01:27:11.829971+00');


--
-- Data for Name: trial_recording; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.trial_recording VALUES (1, 'speech', 'a', 1, 0);
INSERT INTO public.trial_recording VALUES (1, 'speech', 'b', 2, 0);
INSERT INTO public.trial_recording VALUES (1, 'song', 'a', 3, 0);
INSERT INTO public.trial_recording VALUES (1, 'song', 'b', 4, 0);
INSERT INTO public.trial_recording VALUES (1, 'control', 'a', 5, 0);


--
-- Data for Name: typing_session; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.typing_session OVERRIDING SYSTEM VALUE VALUES (3, 8, 'first', 1, 'done', NULL, '{"mode": "all", "path": {"rtt_ms": 130.0, "forward": {"jitter_ms": 0.0, "loss_share": 0.05, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}, "backward": {"jitter_ms": 0.0, "loss_share": 0.05, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}}, "baseline": "newreno2008"}', 1, '{"kind": "copy", "text": "A thin\nstream.", "editor": "nano", "limit_s": 60, "least_keys": 5}', 'en', '2026-11-23 01:27:07.757777+00', '2026-11-23 01:27:07.757777+00', '2026-11-23 01:27:07.757777+00', 'finished', 'guest-0', 'host-build', '0.1.0', '6.12.0-test', 'webrtc', 0, 12, 14, 2, 0.5, true, NULL, '{"echo": {"keys": 5, "max_ms": 408.5, "p50_ms": 158.3, "p95_ms": 408.5, "p99_ms": 408.5}, "keys": 5, "bursts": {"count": 0, "keys_max": 1}, "holding": {"count": 0, "overshoot_max": null, "overshoot_p50": null, "after_release_max": null, "after_release_p50": null}, "repeats": 0, "corrections": 1, "echo_screen": {"keys": 5, "max_ms": 393.0, "p50_ms": 142.8, "p95_ms": 393.0, "p99_ms": 393.0}, "errors_left": 1, "character_keys": 4, "key_recoveries": {"fast": 0, "never": 0, "bundle": 0, "timeout": 1}, "lane_share_p50": 0.8490208464939988, "echo_recoveries": {"fast": 0, "never": 0, "bundle": 0, "timeout": 0}, "inter_key_p50_ms": 200.0}', '{"end": "TERMINAL_END_FINISHED", "felt": {"sojourn": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 616279.8565284663, "min_us": 41069.26508581332, "p50_us": 585434.1463477457, "p90_us": 165798.81807866791, "p95_us": 407466.1950138333, "p98_us": 160419.45912134813, "p99_us": 627363.8763056499, "mean_us": 360794.0062372412, "p999_us": 667421.8520126902, "samples": 3729495007}, "messages": 1597527593, "longest_stall_ms": 331160.41851940437, "share_later_than_50_ms": 127996.32480013123, "share_later_than_100_ms": 201606.99342458753, "share_later_than_150_ms": 314101.3998521342, "share_later_than_400_ms": 419424.3983447823}, "check": {"forward": {"sent_packets": 2506163283, "dropped_packets": 2963147913, "received_packets": 1165159816}, "backward": {"sent_packets": 1064706920, "dropped_packets": 3142641719, "received_packets": 150913246}}, "clock": {"drift_ns": 1222184311, "offset_ns": 472401034, "round_trip_ns": 2325793793}, "end_ns": 919617313, "reason": "words 0.8677521680526462", "timing": {"reason": "words 0.040592885766258635", "forward": {"max_us": 668969.3895679185, "min_us": 55675.005960069466, "p50_us": 174299.55646131857, "p99_us": 939095.7616437466, "packets": 1207444503}, "backward": {"max_us": 367221.20330329234, "min_us": 84174.09929046416, "p50_us": 270170.3297934806, "p99_us": 587112.078671246, "packets": 204880047}, "trustworthy": true}, "counters": [], "ready_ns": 2672012724, "copies_forward": {"bundled_bytes": 1890310649, "bundle_packets": 3804674347, "spurious_bytes": 1875405061, "bundle_hit_bytes": 4100814705, "spurious_packets": 1935544136}, "copies_backward": {"bundled_bytes": 2882427111, "bundle_packets": 451926664, "spurious_bytes": 3226232856, "bundle_hit_bytes": 1587560137, "spurious_packets": 3686963643}, "metrics_forward": {"packets": 1074418520, "transport": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 26995.293517772967, "min_us": 838431.2018528642, "p50_us": 81861.86211113988, "p90_us": 341700.20170577685, "p95_us": 42984.67132878636, "p98_us": 611154.0792517103, "p99_us": 411697.02656999475, "mean_us": 805962.8573272564, "p999_us": 289459.29091541766, "samples": 96514810}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 480041.7204470656, "min_us": 93253.63389114739, "p50_us": 770790.4601499017, "p90_us": 736670.3331099912, "p95_us": 144124.23143135765, "p98_us": 503072.89042096323, "p99_us": 133346.44401908692, "mean_us": 644235.8956834612, "p999_us": 310865.61655509693, "samples": 555450508}}, "application": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 780791.1247042594, "min_us": 911559.0543303262, "p50_us": 561841.5807554894, "p90_us": 520336.9237207997, "p95_us": 986652.0262078393, "p98_us": 456002.059696328, "p99_us": 796052.6892991645, "mean_us": 879091.888506743, "p999_us": 949153.5627702707, "samples": 911050789}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 277426.609034138, "min_us": 998366.9244183069, "p50_us": 39785.667771003784, "p90_us": 630912.9487970304, "p95_us": 332164.73069803586, "p98_us": 869930.4420870036, "p99_us": 407864.1422024856, "mean_us": 948337.1122384057, "p999_us": 547038.4794486031, "samples": 1036539400}}, "iat_mean_ms": 589092.2783566505, "unique_bytes": 3124047272, "payload_bytes": 70929813, "delivered_bytes": 4111740626, "redundancy_share": 638977.2565915659, "loss_share_forward": 741625.1686351246, "loss_share_backward": 667865.2639122349, "retransmitted_bytes": 3720805830, "retransmitted_share": 156084.80349712906, "lost_packets_forward": 3438491624, "lost_packets_backward": 2884179928, "retransmitted_packets": 2528113441, "packet_payload_mean_bytes": 334751.79986208834}, "tcp_info_sender": {"rto_us": 520273806, "rtt_us": 3498528386, "segs_out": 3740133643, "snd_cwnd": 422324187, "rdb_bytes": 3535164960, "rttvar_us": 3189756627, "total_rto": 2480233114, "bytes_sent": 572231859, "dsack_dups": 523837279, "min_rtt_us": 2182545664, "rdb_dsacks": 1305323073, "reord_seen": 1941501635, "reordering": 3920866868, "bytes_acked": 1537650930, "rdb_bundles": 2332842910, "rdb_repairs": 2244718276, "busy_time_us": 2014787204, "snd_ssthresh": 873606471, "bytes_retrans": 3836940405, "data_segs_out": 3158895245, "snd_mss_bytes": 3959141356, "total_retrans": 1668825339, "rdb_congestion": 844230343, "total_rto_time_ms": 589247680, "thin_early_retrans": 851259846, "thin_linear_timeouts": 2376181471, "total_rto_recoveries": 2197591215}, "metrics_backward": {"packets": 756401160, "transport": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 413716.6409743153, "min_us": 121729.082166539, "p50_us": 210168.95794475533, "p90_us": 563388.2286495907, "p95_us": 542152.0710215797, "p98_us": 644807.4784925934, "p99_us": 565032.9376206369, "mean_us": 531846.3032681154, "p999_us": 833180.3678086918, "samples": 2153635169}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 982979.9924422066, "min_us": 394885.0232170952, "p50_us": 261325.94305629554, "p90_us": 492776.6167103056, "p95_us": 772100.9647540189, "p98_us": 32855.631548475154, "p99_us": 783200.5685540375, "mean_us": 445965.9806577604, "p999_us": 500626.06903394166, "samples": 1858857087}}, "application": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 220353.88814409816, "min_us": 406959.7345701337, "p50_us": 257512.70889680056, "p90_us": 195752.39431882484, "p95_us": 229283.25379516569, "p98_us": 89706.32153985547, "p99_us": 442759.017137077, "mean_us": 669789.5878449942, "p999_us": 436741.9245558939, "samples": 1579527922}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 322461.5287903282, "min_us": 532677.258991419, "p50_us": 768332.9803450233, "p90_us": 254089.29795345248, "p95_us": 956322.37328179, "p98_us": 810582.5778807537, "p99_us": 726158.6567434947, "mean_us": 582297.0232568646, "p999_us": 283883.77680780244, "samples": 3534930534}}, "iat_mean_ms": 905359.7529420836, "unique_bytes": 3854200616, "payload_bytes": 1718018282, "delivered_bytes": 3378655211, "redundancy_share": 762423.259378747, "loss_share_forward": 945530.094525843, "loss_share_backward": 918455.760132403, "retransmitted_bytes": 2142567318, "retransmitted_share": 737683.5087897348, "lost_packets_forward": 1314959635, "lost_packets_backward": 3122810495, "retransmitted_packets": 2259580595, "packet_payload_mean_bytes": 620068.9304893317}, "receiver_counters": [], "tcp_info_receiver": {"rto_us": 2947520844, "rtt_us": 1197400501, "segs_out": 76404381, "snd_cwnd": 3680374946, "rdb_bytes": 762869057, "rttvar_us": 2344237853, "total_rto": 3249611640, "bytes_sent": 1590318774, "dsack_dups": 1001415564, "min_rtt_us": 2196043747, "rdb_dsacks": 119736735, "reord_seen": 1947316620, "reordering": 2900553444, "bytes_acked": 3885313422, "rdb_bundles": 3898716562, "rdb_repairs": 3127927539, "busy_time_us": 236539223, "snd_ssthresh": 1602553349, "bytes_retrans": 1309691150, "data_segs_out": 497634843, "snd_mss_bytes": 2172823617, "total_retrans": 1400161998, "rdb_congestion": 3561254680, "total_rto_time_ms": 3655845289, "thin_early_retrans": 432251607, "thin_linear_timeouts": 3283881348, "total_rto_recoveries": 749155267}}');
INSERT INTO public.typing_session OVERRIDING SYSTEM VALUE VALUES (1, 7, 'first', 1, 'done', NULL, '{"mode": "off", "path": {"rtt_ms": 130.0, "forward": {"jitter_ms": 0.0, "loss_share": 0.05, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}, "backward": {"jitter_ms": 0.0, "loss_share": 0.05, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}}, "baseline": "newreno2008"}', 3, '{"kind": "correct", "text": "A {tihn|thin} stream.", "editor": "nano", "limit_s": 60, "least_keys": 3}', 'en', '2026-11-23 01:27:06.753869+00', '2026-11-23 01:27:06.753869+00', '2026-11-23 01:27:06.753869+00', 'finished', 'guest-0', 'host-build', '0.1.0', '6.12.0-test', 'webrtc', 0, 12, 14, 2, 0.5, true, NULL, '{"echo": {"keys": 5, "max_ms": 406.5, "p50_ms": 156.3, "p95_ms": 406.5, "p99_ms": 406.5}, "keys": 5, "bursts": {"count": 0, "keys_max": 1}, "holding": {"count": 0, "overshoot_max": null, "overshoot_p50": null, "after_release_max": null, "after_release_p50": null}, "repeats": 0, "corrections": 1, "echo_screen": {"keys": 5, "max_ms": 391.0, "p50_ms": 140.8, "p95_ms": 391.0, "p99_ms": 391.0}, "errors_left": 0, "character_keys": 4, "key_recoveries": {"fast": 0, "never": 0, "bundle": 0, "timeout": 1}, "lane_share_p50": 0.8470889315419066, "echo_recoveries": {"fast": 0, "never": 0, "bundle": 0, "timeout": 0}, "inter_key_p50_ms": 200.0}', '{"end": "TERMINAL_END_FINISHED", "felt": {"sojourn": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 202214.82265997236, "min_us": 195549.77029913, "p50_us": 116299.5716446984, "p90_us": 222341.04026600477, "p95_us": 637217.1361343297, "p98_us": 607899.7111244408, "p99_us": 207293.88056419516, "mean_us": 504129.66873181507, "p999_us": 340843.3775767367, "samples": 2223556391}, "messages": 1823983426, "longest_stall_ms": 775533.7781118939, "share_later_than_50_ms": 6091.814651334904, "share_later_than_100_ms": 547830.2212546399, "share_later_than_150_ms": 580308.9461857756, "share_later_than_400_ms": 915474.5273292845}, "check": {"forward": {"sent_packets": 190021245, "dropped_packets": 502665223, "received_packets": 2922033191}, "backward": {"sent_packets": 1860964719, "dropped_packets": 1633707063, "received_packets": 3679452348}}, "clock": {"drift_ns": 320984988, "offset_ns": 1377972227, "round_trip_ns": 1763972768}, "end_ns": 4064537457, "reason": "words 0.4782479962566343", "timing": {"reason": "words 0.5763452439402508", "forward": {"max_us": 517262.47535404155, "min_us": 805431.1348981751, "p50_us": 900092.0355821613, "p99_us": 35125.084231257046, "packets": 1257046797}, "backward": {"max_us": 698046.6406248854, "min_us": 86607.47915179745, "p50_us": 515700.2525757287, "p99_us": 682691.8386109906, "packets": 2175539425}, "trustworthy": true}, "counters": [], "ready_ns": 4226308719, "copies_forward": {"bundled_bytes": 896567051, "bundle_packets": 2518705636, "spurious_bytes": 3066040239, "bundle_hit_bytes": 1502804467, "spurious_packets": 1565080867}, "copies_backward": {"bundled_bytes": 2639180079, "bundle_packets": 3816108558, "spurious_bytes": 522333073, "bundle_hit_bytes": 1403753306, "spurious_packets": 728179371}, "metrics_forward": {"packets": 2102773516, "transport": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 578845.3377957875, "min_us": 842706.467321459, "p50_us": 82777.67942337877, "p90_us": 856570.1252459645, "p95_us": 141643.0506715829, "p98_us": 771924.4276452591, "p99_us": 583435.7123462118, "mean_us": 141020.2586925653, "p999_us": 23562.135459088473, "samples": 2511756427}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 627150.7228519027, "min_us": 137015.01467944589, "p50_us": 326822.26563289796, "p90_us": 148660.19700629028, "p95_us": 502755.9795260248, "p98_us": 783251.0685678475, "p99_us": 337350.235186758, "mean_us": 589885.24029221, "p999_us": 280467.6923426788, "samples": 3822606140}}, "application": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 91829.49710079246, "min_us": 955469.063352358, "p50_us": 528106.0514150264, "p90_us": 345505.3718743303, "p95_us": 442987.514360743, "p98_us": 361612.15339967643, "p99_us": 823555.7778451855, "mean_us": 222513.46689880147, "p999_us": 655237.2692852285, "samples": 811305153}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 429617.85607763025, "min_us": 849118.7771489139, "p50_us": 813881.1510364139, "p90_us": 51728.970590579906, "p95_us": 606146.422539728, "p98_us": 242358.74762484455, "p99_us": 147364.70624667508, "mean_us": 662236.3443292798, "p999_us": 615171.7319955558, "samples": 1072082609}}, "iat_mean_ms": 753111.7264172154, "unique_bytes": 1266225810, "payload_bytes": 3646341790, "delivered_bytes": 3559282733, "redundancy_share": 682032.7648050984, "loss_share_forward": 426079.42110142583, "loss_share_backward": 841008.9825135819, "retransmitted_bytes": 3605560750, "retransmitted_share": 779077.9981712697, "lost_packets_forward": 2125189147, "lost_packets_backward": 1682147595, "retransmitted_packets": 3329720894, "packet_payload_mean_bytes": 456632.29875056876}, "tcp_info_sender": {"rto_us": 2034570557, "rtt_us": 3108959287, "segs_out": 354153591, "snd_cwnd": 4007362258, "rdb_bytes": 1694341348, "rttvar_us": 2956908084, "total_rto": 121674441, "bytes_sent": 2176211072, "dsack_dups": 1381953236, "min_rtt_us": 411429450, "rdb_dsacks": 2150711562, "reord_seen": 2364583672, "reordering": 522044219, "bytes_acked": 4243337298, "rdb_bundles": 2881509222, "rdb_repairs": 2363757767, "busy_time_us": 796403820, "snd_ssthresh": 3960268960, "bytes_retrans": 401891019, "data_segs_out": 4159136346, "snd_mss_bytes": 472722586, "total_retrans": 869670448, "rdb_congestion": 3317489381, "total_rto_time_ms": 751772773, "thin_early_retrans": 2991714273, "thin_linear_timeouts": 2987086117, "total_rto_recoveries": 2024219127}, "metrics_backward": {"packets": 3923673894, "transport": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 216144.2633764976, "min_us": 304621.66297870973, "p50_us": 134534.9600658765, "p90_us": 374440.84579091787, "p95_us": 823960.4472000476, "p98_us": 535497.260458925, "p99_us": 63067.14454367135, "mean_us": 324635.527560788, "p999_us": 727597.7412028923, "samples": 1185612587}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 520327.5931598027, "min_us": 796332.1428671475, "p50_us": 797374.2023200771, "p90_us": 141378.36054934814, "p95_us": 153464.44323032704, "p98_us": 153879.86593665747, "p99_us": 338345.53291551495, "mean_us": 259231.05107906964, "p999_us": 257462.4726153829, "samples": 3623395903}}, "application": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 61436.915519056165, "min_us": 345616.3161381973, "p50_us": 172650.1340570903, "p90_us": 351182.8849925327, "p95_us": 25703.539909864405, "p98_us": 207796.86326184522, "p99_us": 588402.9311853051, "mean_us": 807274.5030726995, "p999_us": 31967.379840522226, "samples": 2710224183}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 932237.6747739958, "min_us": 927907.5105836148, "p50_us": 733902.5767715736, "p90_us": 144220.93979508145, "p95_us": 599939.6340467266, "p98_us": 308206.045398549, "p99_us": 466328.3395921123, "mean_us": 303433.80957920727, "p999_us": 625769.408391921, "samples": 686691032}}, "iat_mean_ms": 782632.8027011282, "unique_bytes": 3767846651, "payload_bytes": 3201963380, "delivered_bytes": 171777479, "redundancy_share": 876242.1778688644, "loss_share_forward": 287973.89586232713, "loss_share_backward": 937311.8560368632, "retransmitted_bytes": 1026224005, "retransmitted_share": 695921.2566293017, "lost_packets_forward": 1326830957, "lost_packets_backward": 3063889560, "retransmitted_packets": 201019501, "packet_payload_mean_bytes": 784.9569801209321}, "receiver_counters": [], "tcp_info_receiver": {"rto_us": 622186453, "rtt_us": 948385712, "segs_out": 3478553853, "snd_cwnd": 3126186484, "rdb_bytes": 362375157, "rttvar_us": 1427084193, "total_rto": 2032351518, "bytes_sent": 1793775421, "dsack_dups": 3599369858, "min_rtt_us": 1996738033, "rdb_dsacks": 1392560530, "reord_seen": 2995037266, "reordering": 52498566, "bytes_acked": 2168364312, "rdb_bundles": 2868491485, "rdb_repairs": 192878512, "busy_time_us": 3884593064, "snd_ssthresh": 2137050026, "bytes_retrans": 3145462118, "data_segs_out": 4040813132, "snd_mss_bytes": 1799086646, "total_retrans": 3630209075, "rdb_congestion": 2214851696, "total_rto_time_ms": 361095812, "thin_early_retrans": 1989815420, "thin_linear_timeouts": 2766205439, "total_rto_recoveries": 1042200292}}');
INSERT INTO public.typing_session OVERRIDING SYSTEM VALUE VALUES (2, 7, 'second', 1, 'done', NULL, '{"mode": "off", "path": {"rtt_ms": 130.0, "forward": {"jitter_ms": 0.0, "loss_share": 0.05, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}, "backward": {"jitter_ms": 0.0, "loss_share": 0.05, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}}, "baseline": "newreno2008"}', 3, '{"kind": "correct", "text": "A {tihn|thin} stream.", "editor": "nano", "limit_s": 60, "least_keys": 3}', 'en', '2026-11-23 01:27:07.078235+00', '2026-11-23 01:27:07.078235+00', '2026-11-23 01:27:07.078235+00', 'finished', 'guest-0', 'host-build', '0.1.0', '6.12.0-test', 'webrtc', 0, 12, 14, 2, 0.5, true, NULL, '{"echo": {"keys": 5, "max_ms": 407.5, "p50_ms": 157.3, "p95_ms": 407.5, "p99_ms": 407.5}, "keys": 5, "bursts": {"count": 0, "keys_max": 1}, "holding": {"count": 0, "overshoot_max": null, "overshoot_p50": null, "after_release_max": null, "after_release_p50": null}, "repeats": 0, "corrections": 1, "echo_screen": {"keys": 5, "max_ms": 392.0, "p50_ms": 141.8, "p95_ms": 392.0, "p99_ms": 392.0}, "errors_left": 0, "character_keys": 4, "key_recoveries": {"fast": 0, "never": 0, "bundle": 0, "timeout": 1}, "lane_share_p50": 0.8480610298792117, "echo_recoveries": {"fast": 0, "never": 0, "bundle": 0, "timeout": 0}, "inter_key_p50_ms": 200.0}', '{"end": "TERMINAL_END_FINISHED", "felt": {"sojourn": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 372972.08995414985, "min_us": 497850.27202369226, "p50_us": 791983.022414669, "p90_us": 223213.80442370242, "p95_us": 64242.75757394071, "p98_us": 825439.9587976063, "p99_us": 861535.634304168, "mean_us": 552070.5743455, "p999_us": 168644.02784089695, "samples": 3354443993}, "messages": 1347573656, "longest_stall_ms": 136743.2291177545, "share_later_than_50_ms": 337837.4895480354, "share_later_than_100_ms": 188748.52131463605, "share_later_than_150_ms": 319601.9406445012, "share_later_than_400_ms": 727262.3669830237}, "check": {"forward": {"sent_packets": 2736116465, "dropped_packets": 1399808084, "received_packets": 4075377234}, "backward": {"sent_packets": 3322344496, "dropped_packets": 4280450414, "received_packets": 2853951474}}, "clock": {"drift_ns": 4228144728, "offset_ns": 1829681943, "round_trip_ns": 403972920}, "end_ns": 3859627060, "reason": "words 0.5558450440322502", "timing": {"reason": "words 0.4823428169846843", "forward": {"max_us": 323790.9329356843, "min_us": 765108.1506292765, "p50_us": 60718.33375572422, "p99_us": 769246.1158324642, "packets": 976923490}, "backward": {"max_us": 576048.9488645345, "min_us": 978961.3567590772, "p50_us": 322879.60346485255, "p99_us": 656811.8674129066, "packets": 856343095}, "trustworthy": true}, "counters": [], "ready_ns": 2779295050, "copies_forward": {"bundled_bytes": 1099979758, "bundle_packets": 1903577413, "spurious_bytes": 3533637341, "bundle_hit_bytes": 628365927, "spurious_packets": 1524603100}, "copies_backward": {"bundled_bytes": 2376636676, "bundle_packets": 2717308690, "spurious_bytes": 1515114582, "bundle_hit_bytes": 4132896168, "spurious_packets": 405951237}, "metrics_forward": {"packets": 770711544, "transport": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 490411.3007035791, "min_us": 386944.4455546066, "p50_us": 954277.6929184597, "p90_us": 965140.1061402281, "p95_us": 758356.4716959394, "p98_us": 917100.2421607021, "p99_us": 352402.89737764077, "mean_us": 478852.5729134168, "p999_us": 648613.2150140399, "samples": 3116403691}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 420057.763886894, "min_us": 683937.185210459, "p50_us": 510125.9867486085, "p90_us": 685228.5985000595, "p95_us": 495068.0656390581, "p98_us": 6985.143836117147, "p99_us": 965531.2518882832, "mean_us": 14432.924683959514, "p999_us": 241540.87323295014, "samples": 1566598093}}, "application": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 528529.5016475371, "min_us": 994190.07440578, "p50_us": 229050.73652871267, "p90_us": 584017.1929994165, "p95_us": 62585.57727508818, "p98_us": 125542.42964905615, "p99_us": 629215.3203336068, "mean_us": 624444.7665453436, "p999_us": 153541.47346010106, "samples": 1375131891}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 466219.53161734086, "min_us": 839339.4921453345, "p50_us": 253905.52477842153, "p90_us": 9629.546739593487, "p95_us": 719844.1571899436, "p98_us": 739841.4460740729, "p99_us": 976462.7828702005, "mean_us": 132138.20391458663, "p999_us": 990510.350360933, "samples": 3251455471}}, "iat_mean_ms": 627107.8895923918, "unique_bytes": 2302412533, "payload_bytes": 3754254150, "delivered_bytes": 2775621245, "redundancy_share": 467109.55231382966, "loss_share_forward": 45224.18506083603, "loss_share_backward": 426681.05964652536, "retransmitted_bytes": 230105045, "retransmitted_share": 790453.5579011985, "lost_packets_forward": 1518173316, "lost_packets_backward": 2083394422, "retransmitted_packets": 1239075073, "packet_payload_mean_bytes": 732123.8174423901}, "tcp_info_sender": {"rto_us": 896974027, "rtt_us": 2246707245, "segs_out": 1645669336, "snd_cwnd": 1961679775, "rdb_bytes": 2838523084, "rttvar_us": 1448833896, "total_rto": 3587538530, "bytes_sent": 831312214, "dsack_dups": 1922207198, "min_rtt_us": 2258253088, "rdb_dsacks": 3995305084, "reord_seen": 563593095, "reordering": 3238696787, "bytes_acked": 2515260733, "rdb_bundles": 2460161955, "rdb_repairs": 2718164489, "busy_time_us": 2618363237, "snd_ssthresh": 312173628, "bytes_retrans": 2823470401, "data_segs_out": 1722623630, "snd_mss_bytes": 2487870142, "total_retrans": 437272390, "rdb_congestion": 638825390, "total_rto_time_ms": 1067851757, "thin_early_retrans": 1675312356, "thin_linear_timeouts": 362393689, "total_rto_recoveries": 3858113272}, "metrics_backward": {"packets": 1080887719, "transport": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 406222.84642225783, "min_us": 992451.2435604711, "p50_us": 234224.18642330624, "p90_us": 848546.629631071, "p95_us": 144984.64100277008, "p98_us": 170038.4685984525, "p99_us": 704200.1932798293, "mean_us": 625996.5019101147, "p999_us": 760415.0985587998, "samples": 2094595476}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 38950.112511727755, "min_us": 233519.91624161962, "p50_us": 548732.8763106414, "p90_us": 427717.1540644873, "p95_us": 893293.8887440669, "p98_us": 696627.5345197578, "p99_us": 688800.4775573825, "mean_us": 741046.1725803274, "p999_us": 472287.1693843275, "samples": 96205273}}, "application": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 228389.92273813585, "min_us": 134121.82845423958, "p50_us": 660275.0835569209, "p90_us": 532696.8262127994, "p95_us": 846222.8828417166, "p98_us": 738844.3786851139, "p99_us": 571301.1297772401, "mean_us": 35843.94813044323, "p999_us": 565445.2481364732, "samples": 1206613597}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 563574.3665681245, "min_us": 308473.27448347496, "p50_us": 226019.32142336533, "p90_us": 508619.7209367149, "p95_us": 122151.32947640805, "p98_us": 522799.20983112685, "p99_us": 70386.84062285183, "mean_us": 566663.5825737447, "p999_us": 410117.11973510066, "samples": 392659854}}, "iat_mean_ms": 923109.0003977654, "unique_bytes": 2725702228, "payload_bytes": 3157497920, "delivered_bytes": 566945312, "redundancy_share": 963867.6065318099, "loss_share_forward": 153183.54368021557, "loss_share_backward": 388251.6000596404, "retransmitted_bytes": 1450580837, "retransmitted_share": 680168.0051956285, "lost_packets_forward": 3425616977, "lost_packets_backward": 2106918638, "retransmitted_packets": 68806302, "packet_payload_mean_bytes": 9239.989187309395}, "receiver_counters": [], "tcp_info_receiver": {"rto_us": 3278532374, "rtt_us": 4025031740, "segs_out": 2857814129, "snd_cwnd": 1278960022, "rdb_bytes": 2082670857, "rttvar_us": 3586078435, "total_rto": 4014606343, "bytes_sent": 446031464, "dsack_dups": 4038846278, "min_rtt_us": 309835666, "rdb_dsacks": 2703541561, "reord_seen": 50990385, "reordering": 1251196715, "bytes_acked": 3646176882, "rdb_bundles": 2866108454, "rdb_repairs": 665736750, "busy_time_us": 3661852335, "snd_ssthresh": 153012535, "bytes_retrans": 3193740188, "data_segs_out": 1955596373, "snd_mss_bytes": 3432822524, "total_retrans": 863268632, "rdb_congestion": 3229462590, "total_rto_time_ms": 3349260751, "thin_early_retrans": 190539291, "thin_linear_timeouts": 2531390938, "total_rto_recoveries": 820170111}}');
INSERT INTO public.typing_session OVERRIDING SYSTEM VALUE VALUES (4, 8, 'second', 1, 'done', NULL, '{"mode": "off", "path": {"rtt_ms": 130.0, "forward": {"jitter_ms": 0.0, "loss_share": 0.05, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}, "backward": {"jitter_ms": 0.0, "loss_share": 0.05, "corrupt_share": 0.0, "queue_packets": 0, "gilbert_elliott": null, "rate_kbit_per_s": 0}}, "baseline": "newreno2008"}', 1, '{"kind": "copy", "text": "A thin\nstream.", "editor": "nano", "limit_s": 60, "least_keys": 5}', 'en', '2026-11-23 01:27:07.948152+00', '2026-11-23 01:27:07.948152+00', '2026-11-23 01:27:07.948152+00', 'finished', 'guest-0', 'host-build', '0.1.0', '6.12.0-test', 'webrtc', 0, 12, 14, 2, 0.5, true, NULL, '{"echo": {"keys": 5, "max_ms": 409.5, "p50_ms": 159.3, "p95_ms": 409.5, "p99_ms": 409.5}, "keys": 5, "bursts": {"count": 0, "keys_max": 1}, "holding": {"count": 0, "overshoot_max": null, "overshoot_p50": null, "after_release_max": null, "after_release_p50": null}, "repeats": 0, "corrections": 1, "echo_screen": {"keys": 5, "max_ms": 394.0, "p50_ms": 143.8, "p95_ms": 394.0, "p99_ms": 394.0}, "errors_left": 1, "character_keys": 4, "key_recoveries": {"fast": 0, "never": 0, "bundle": 0, "timeout": 1}, "lane_share_p50": 0.8499686126804771, "echo_recoveries": {"fast": 0, "never": 0, "bundle": 0, "timeout": 0}, "inter_key_p50_ms": 200.0}', '{"end": "TERMINAL_END_FINISHED", "felt": {"sojourn": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 376502.5729040148, "min_us": 832659.0231644444, "p50_us": 655836.867525751, "p90_us": 576107.7933671665, "p95_us": 939630.5271497256, "p98_us": 485212.743322894, "p99_us": 433910.23784837726, "mean_us": 421670.31103736063, "p999_us": 12859.107128917247, "samples": 3947759024}, "messages": 2072103033, "longest_stall_ms": 26003.21389180993, "share_later_than_50_ms": 391700.62789398275, "share_later_than_100_ms": 538073.3868326201, "share_later_than_150_ms": 189050.9324989762, "share_later_than_400_ms": 685499.1996325398}, "check": {"forward": {"sent_packets": 1296298618, "dropped_packets": 2635895826, "received_packets": 502359450}, "backward": {"sent_packets": 3662674035, "dropped_packets": 2483656789, "received_packets": 3828856690}}, "clock": {"drift_ns": 2187718307, "offset_ns": 1521986316, "round_trip_ns": 2113222299}, "end_ns": 3284122695, "reason": "words 0.16000523129035404", "timing": {"reason": "words 0.3611684467625699", "forward": {"max_us": 318601.64580704033, "min_us": 623790.3609467563, "p50_us": 387574.3937007267, "p99_us": 182309.72707543636, "packets": 2709947148}, "backward": {"max_us": 504295.2449685121, "min_us": 656258.8954867905, "p50_us": 72117.64741322002, "p99_us": 218436.69716777868, "packets": 1083413540}, "trustworthy": true}, "counters": [], "ready_ns": 2379037910, "copies_forward": {"bundled_bytes": 416775029, "bundle_packets": 989420183, "spurious_bytes": 3385850085, "bundle_hit_bytes": 2533206632, "spurious_packets": 607397505}, "copies_backward": {"bundled_bytes": 3940477268, "bundle_packets": 1220290834, "spurious_bytes": 1413846432, "bundle_hit_bytes": 1559831586, "spurious_packets": 136366566}, "metrics_forward": {"packets": 1545052986, "transport": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 101563.1188225925, "min_us": 291092.22047071194, "p50_us": 177752.64317163487, "p90_us": 450351.5422355174, "p95_us": 961563.6708670312, "p98_us": 111601.94631180042, "p99_us": 651027.8684691496, "mean_us": 599088.6818346566, "p999_us": 163160.28094173264, "samples": 4021073647}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 363811.1876066865, "min_us": 188068.88082014982, "p50_us": 439782.10041791253, "p90_us": 989338.3964160639, "p95_us": 327027.90605000156, "p98_us": 911444.6872495387, "p99_us": 661975.4234799783, "mean_us": 506576.49354074465, "p999_us": 741538.8228554782, "samples": 1392238187}}, "application": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 136754.92730048046, "min_us": 471637.9571522846, "p50_us": 292469.72236759483, "p90_us": 605275.3998784182, "p95_us": 315046.72640148614, "p98_us": 903993.8467081462, "p99_us": 73264.22843037317, "mean_us": 581013.5485838513, "p999_us": 277433.3155657385, "samples": 3201174277}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 419613.1551151072, "min_us": 494469.51502931, "p50_us": 347021.68873645476, "p90_us": 531961.1109349154, "p95_us": 826111.0120597193, "p98_us": 509245.32982584357, "p99_us": 998898.1828459252, "mean_us": 144823.81943527033, "p999_us": 10384.93983601152, "samples": 2008419453}}, "iat_mean_ms": 143512.0005744396, "unique_bytes": 1686933235, "payload_bytes": 838911108, "delivered_bytes": 254166071, "redundancy_share": 141642.73772738644, "loss_share_forward": 694933.5612318484, "loss_share_backward": 411146.8715296004, "retransmitted_bytes": 1768941817, "retransmitted_share": 642567.666573177, "lost_packets_forward": 2601893264, "lost_packets_backward": 3228881903, "retransmitted_packets": 1500716001, "packet_payload_mean_bytes": 987586.2136366506}, "tcp_info_sender": {"rto_us": 101261158, "rtt_us": 2436029807, "segs_out": 2164624632, "snd_cwnd": 2116824113, "rdb_bytes": 2332982652, "rttvar_us": 3851588620, "total_rto": 543070098, "bytes_sent": 814303516, "dsack_dups": 3104126278, "min_rtt_us": 2716192535, "rdb_dsacks": 769757294, "reord_seen": 2322302657, "reordering": 1257094822, "bytes_acked": 1407953474, "rdb_bundles": 3024758990, "rdb_repairs": 1735919764, "busy_time_us": 623739883, "snd_ssthresh": 522415622, "bytes_retrans": 3989424513, "data_segs_out": 2134498056, "snd_mss_bytes": 1556069625, "total_retrans": 1070477583, "rdb_congestion": 3760945717, "total_rto_time_ms": 605776760, "thin_early_retrans": 2553818578, "thin_linear_timeouts": 167750618, "total_rto_recoveries": 2482763855}, "metrics_backward": {"packets": 790089638, "transport": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 846017.554278201, "min_us": 972130.0589823875, "p50_us": 552087.573673439, "p90_us": 12242.905443983098, "p95_us": 195850.51341408765, "p98_us": 367448.65226571733, "p99_us": 265449.6350057508, "mean_us": 877535.9131174259, "p999_us": 195381.42620278586, "samples": 2598301749}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 482302.6126476175, "min_us": 737248.334284927, "p50_us": 869134.8046457187, "p90_us": 242503.9279692034, "p95_us": 550116.1742656617, "p98_us": 296454.79414195905, "p99_us": 842361.4906003949, "mean_us": 567562.0537226183, "p999_us": 313332.4628429068, "samples": 450896535}}, "application": {"per_byte": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 520205.82702998264, "min_us": 173967.41900588298, "p50_us": 688863.408422846, "p90_us": 815896.1208975478, "p95_us": 922161.3463573636, "p98_us": 539086.3125312265, "p99_us": 352126.2457588848, "mean_us": 228724.48578374815, "p999_us": 181103.8577815588, "samples": 3485695928}, "per_message": {"cdf": [{"share": 0.5, "latency_us": 65000.0}, {"share": 1.0, "latency_us": 900000.0}], "max_us": 312582.8453576517, "min_us": 39168.92734340838, "p50_us": 632460.9570990757, "p90_us": 363548.2674415064, "p95_us": 379057.09629227157, "p98_us": 860106.1530122362, "p99_us": 678617.8943615933, "mean_us": 583789.5214226884, "p999_us": 66192.98941424035, "samples": 11247539}}, "iat_mean_ms": 165579.63143105092, "unique_bytes": 3972823770, "payload_bytes": 547991204, "delivered_bytes": 2604227167, "redundancy_share": 491670.75019369996, "loss_share_forward": 532984.0999365976, "loss_share_backward": 267161.362232847, "retransmitted_bytes": 1681730418, "retransmitted_share": 410212.4142454219, "lost_packets_forward": 918881878, "lost_packets_backward": 903871776, "retransmitted_packets": 4205685018, "packet_payload_mean_bytes": 858053.0956686112}, "receiver_counters": [], "tcp_info_receiver": {"rto_us": 811829953, "rtt_us": 2758335882, "segs_out": 3630066101, "snd_cwnd": 3696109762, "rdb_bytes": 2667136434, "rttvar_us": 2582308299, "total_rto": 3461571741, "bytes_sent": 2773755238, "dsack_dups": 3860625717, "min_rtt_us": 3809603752, "rdb_dsacks": 3571446568, "reord_seen": 4120776690, "reordering": 523669998, "bytes_acked": 2680863525, "rdb_bundles": 3489099721, "rdb_repairs": 4018313739, "busy_time_us": 3505992894, "snd_ssthresh": 3303904332, "bytes_retrans": 145562860, "data_segs_out": 3263783004, "snd_mss_bytes": 3088890936, "total_retrans": 3152000114, "rdb_congestion": 2284699042, "total_rto_time_ms": 2230816729, "thin_early_retrans": 2018624027, "thin_linear_timeouts": 517436525, "total_rto_recoveries": 2269202082}}');


--
-- Data for Name: vote; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.vote OVERRIDING SYSTEM VALUE VALUES (1, 1, '63773443-38e6-4705-89dc-21b495d41da6', 'second', 1, 2, 3, 45000, NULL, NULL, '[]', 'test-build', '2026-11-23 01:27:04.285254+00', NULL, NULL);
INSERT INTO public.vote OVERRIDING SYSTEM VALUE VALUES (2, 2, '1b899393-0b2d-4ad3-ac1e-8991ff9b1209', 'second', 1, 2, 3, 45000, NULL, NULL, '[]', 'test-build', '2026-11-23 01:27:04.949464+00', NULL, NULL);
INSERT INTO public.vote OVERRIDING SYSTEM VALUE VALUES (3, 3, '75f26107-a5be-41e1-a928-ee064e828cac', 'second', 1, 2, 3, 45000, NULL, NULL, '[]', 'test-build', '2026-11-23 01:27:05.277801+00', NULL, NULL);
INSERT INTO public.vote OVERRIDING SYSTEM VALUE VALUES (4, 7, '629919ae-bfb8-4bd3-8711-95d637f8d213', 'first', 1, 2, 3, 45000, NULL, NULL, '[]', 'test-build', '2026-11-23 01:27:07.350841+00', NULL, 3);
INSERT INTO public.vote OVERRIDING SYSTEM VALUE VALUES (5, 8, '0b6060c0-b289-434e-b335-7e4a7f9f880e', 'first', 1, 2, 3, 45000, NULL, NULL, '[]', 'test-build', '2026-11-23 01:27:08.119242+00', NULL, 3);


--
-- Name: demo_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.demo_id_seq', 2, true);


--
-- Name: demo_poll_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.demo_poll_id_seq', 1, false);


--
-- Name: exclusion_entry_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.exclusion_entry_id_seq', 1, false);


--
-- Name: invitation_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.invitation_id_seq', 1, false);


--
-- Name: participant_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.participant_id_seq', 3, true);


--
-- Name: presentation_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.presentation_id_seq', 8, true);


--
-- Name: recording_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.recording_id_seq', 5, true);


--
-- Name: recording_job_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.recording_job_id_seq', 1, false);


--
-- Name: study_event_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.study_event_id_seq', 2, true);


--
-- Name: study_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.study_id_seq', 3, true);


--
-- Name: typing_session_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.typing_session_id_seq', 4, true);


--
-- Name: vote_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.vote_id_seq', 5, true);


--
-- Name: alembic_version alembic_version_pkc; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);


--
-- Name: allocation pk_allocation; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.allocation
    ADD CONSTRAINT pk_allocation PRIMARY KEY (participant_id, block_id);


--
-- Name: demo pk_demo; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.demo
    ADD CONSTRAINT pk_demo PRIMARY KEY (id);


--
-- Name: demo_event pk_demo_event; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.demo_event
    ADD CONSTRAINT pk_demo_event PRIMARY KEY (demo_id, number);


--
-- Name: demo_poll pk_demo_poll; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.demo_poll
    ADD CONSTRAINT pk_demo_poll PRIMARY KEY (id);


--
-- Name: demo_take pk_demo_take; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.demo_take
    ADD CONSTRAINT pk_demo_take PRIMARY KEY (demo_id, number);


--
-- Name: demo_vote pk_demo_vote; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.demo_vote
    ADD CONSTRAINT pk_demo_vote PRIMARY KEY (poll_id, listener_hash);


--
-- Name: exclusion_entry pk_exclusion_entry; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.exclusion_entry
    ADD CONSTRAINT pk_exclusion_entry PRIMARY KEY (id);


--
-- Name: invitation pk_invitation; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT pk_invitation PRIMARY KEY (id);


--
-- Name: keystroke pk_keystroke; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.keystroke
    ADD CONSTRAINT pk_keystroke PRIMARY KEY (session_id, number);


--
-- Name: participant pk_participant; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.participant
    ADD CONSTRAINT pk_participant PRIMARY KEY (id);


--
-- Name: predicted_quality pk_predicted_quality; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.predicted_quality
    ADD CONSTRAINT pk_predicted_quality PRIMARY KEY (recording_id, measure);


--
-- Name: presentation pk_presentation; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.presentation
    ADD CONSTRAINT pk_presentation PRIMARY KEY (id);


--
-- Name: questionnaire_answer pk_questionnaire_answer; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.questionnaire_answer
    ADD CONSTRAINT pk_questionnaire_answer PRIMARY KEY (participant_id, question_id);


--
-- Name: recording pk_recording; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recording
    ADD CONSTRAINT pk_recording PRIMARY KEY (id);


--
-- Name: recording_job pk_recording_job; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recording_job
    ADD CONSTRAINT pk_recording_job PRIMARY KEY (id);


--
-- Name: researcher_session pk_researcher_session; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.researcher_session
    ADD CONSTRAINT pk_researcher_session PRIMARY KEY (token_hash);


--
-- Name: server_secret pk_server_secret; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.server_secret
    ADD CONSTRAINT pk_server_secret PRIMARY KEY (id);


--
-- Name: session_metrics pk_session_metrics; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.session_metrics
    ADD CONSTRAINT pk_session_metrics PRIMARY KEY (recording_id);


--
-- Name: study pk_study; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.study
    ADD CONSTRAINT pk_study PRIMARY KEY (id);


--
-- Name: study_event pk_study_event; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.study_event
    ADD CONSTRAINT pk_study_event PRIMARY KEY (id);


--
-- Name: trial_recording pk_trial_recording; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.trial_recording
    ADD CONSTRAINT pk_trial_recording PRIMARY KEY (study_id, trial_id, run, member);


--
-- Name: typing_session pk_typing_session; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.typing_session
    ADD CONSTRAINT pk_typing_session PRIMARY KEY (id);


--
-- Name: vote pk_vote; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.vote
    ADD CONSTRAINT pk_vote PRIMARY KEY (id);


--
-- Name: demo_poll uq_demo_poll_demo_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.demo_poll
    ADD CONSTRAINT uq_demo_poll_demo_id UNIQUE (demo_id, number);


--
-- Name: demo uq_demo_share_hash; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.demo
    ADD CONSTRAINT uq_demo_share_hash UNIQUE (share_hash);


--
-- Name: invitation uq_invitation_participant_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT uq_invitation_participant_id UNIQUE (participant_id);


--
-- Name: invitation uq_invitation_token_hash; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT uq_invitation_token_hash UNIQUE (token_hash);


--
-- Name: participant uq_participant_completion_code; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.participant
    ADD CONSTRAINT uq_participant_completion_code UNIQUE (completion_code);


--
-- Name: participant uq_participant_pseudonym; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.participant
    ADD CONSTRAINT uq_participant_pseudonym UNIQUE (pseudonym);


--
-- Name: participant uq_participant_study_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.participant
    ADD CONSTRAINT uq_participant_study_id UNIQUE (study_id, join_key);


--
-- Name: participant uq_participant_token_hash; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.participant
    ADD CONSTRAINT uq_participant_token_hash UNIQUE (token_hash);


--
-- Name: participant uq_participant_withdraw_hash; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.participant
    ADD CONSTRAINT uq_participant_withdraw_hash UNIQUE (withdraw_hash);


--
-- Name: presentation uq_presentation_first_token; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.presentation
    ADD CONSTRAINT uq_presentation_first_token UNIQUE (first_token);


--
-- Name: presentation uq_presentation_participant_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.presentation
    ADD CONSTRAINT uq_presentation_participant_id UNIQUE (participant_id, trial_id);


--
-- Name: presentation uq_presentation_position; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.presentation
    ADD CONSTRAINT uq_presentation_position UNIQUE (participant_id, "position");


--
-- Name: presentation uq_presentation_second_token; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.presentation
    ADD CONSTRAINT uq_presentation_second_token UNIQUE (second_token);


--
-- Name: presentation uq_presentation_trial_token; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.presentation
    ADD CONSTRAINT uq_presentation_trial_token UNIQUE (trial_token);


--
-- Name: recording_job uq_recording_job_spec_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recording_job
    ADD CONSTRAINT uq_recording_job_spec_key UNIQUE (spec_key);


--
-- Name: recording uq_recording_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recording
    ADD CONSTRAINT uq_recording_key UNIQUE (key);


--
-- Name: study uq_study_slug; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.study
    ADD CONSTRAINT uq_study_slug UNIQUE (slug, content_hash);


--
-- Name: typing_session uq_typing_session_presentation_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.typing_session
    ADD CONSTRAINT uq_typing_session_presentation_id UNIQUE (presentation_id, place, attempt);


--
-- Name: vote uq_vote_presentation_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.vote
    ADD CONSTRAINT uq_vote_presentation_id UNIQUE (presentation_id);


--
-- Name: vote uq_vote_vote_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.vote
    ADD CONSTRAINT uq_vote_vote_key UNIQUE (vote_key);


--
-- Name: events_of_a_study; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_of_a_study ON public.study_event USING btree (slug, id);


--
-- Name: exclusions_of_a_participant; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX exclusions_of_a_participant ON public.exclusion_entry USING btree (participant_id, id);


--
-- Name: invitations_of_a_study; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX invitations_of_a_study ON public.invitation USING btree (slug, id);


--
-- Name: one_current_study; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX one_current_study ON public.study USING btree (slug) WHERE is_current;


--
-- Name: one_session_a_place; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX one_session_a_place ON public.typing_session USING btree (presentation_id, place) WHERE ((state)::text <> 'void'::text);


--
-- Name: participants_of_a_study; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX participants_of_a_study ON public.participant USING btree (study_id, kind);


--
-- Name: exclusion_entry append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.exclusion_entry FOR EACH ROW EXECUTE FUNCTION public.refuse_to_change();


--
-- Name: presentation append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.presentation FOR EACH ROW EXECUTE FUNCTION public.refuse_to_change();


--
-- Name: questionnaire_answer append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.questionnaire_answer FOR EACH ROW EXECUTE FUNCTION public.refuse_to_change();


--
-- Name: study_event append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.study_event FOR EACH ROW EXECUTE FUNCTION public.refuse_to_change();


--
-- Name: vote append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.vote FOR EACH ROW EXECUTE FUNCTION public.refuse_to_change();


--
-- Name: exclusion_entry append_only_whole; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.exclusion_entry FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_change();


--
-- Name: presentation append_only_whole; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.presentation FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_change();


--
-- Name: questionnaire_answer append_only_whole; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.questionnaire_answer FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_change();


--
-- Name: study_event append_only_whole; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.study_event FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_change();


--
-- Name: vote append_only_whole; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.vote FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_to_change();


--
-- Name: allocation fk_allocation_participant_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.allocation
    ADD CONSTRAINT fk_allocation_participant_id FOREIGN KEY (participant_id) REFERENCES public.participant(id);


--
-- Name: demo_event fk_demo_event_demo_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.demo_event
    ADD CONSTRAINT fk_demo_event_demo_id FOREIGN KEY (demo_id) REFERENCES public.demo(id);


--
-- Name: demo_poll fk_demo_poll_demo_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.demo_poll
    ADD CONSTRAINT fk_demo_poll_demo_id FOREIGN KEY (demo_id) REFERENCES public.demo(id);


--
-- Name: demo_take fk_demo_take_demo_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.demo_take
    ADD CONSTRAINT fk_demo_take_demo_id FOREIGN KEY (demo_id) REFERENCES public.demo(id);


--
-- Name: demo_vote fk_demo_vote_poll_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.demo_vote
    ADD CONSTRAINT fk_demo_vote_poll_id FOREIGN KEY (poll_id) REFERENCES public.demo_poll(id);


--
-- Name: exclusion_entry fk_exclusion_entry_participant_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.exclusion_entry
    ADD CONSTRAINT fk_exclusion_entry_participant_id FOREIGN KEY (participant_id) REFERENCES public.participant(id);


--
-- Name: invitation fk_invitation_participant_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT fk_invitation_participant_id FOREIGN KEY (participant_id) REFERENCES public.participant(id);


--
-- Name: keystroke fk_keystroke_session_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.keystroke
    ADD CONSTRAINT fk_keystroke_session_id FOREIGN KEY (session_id) REFERENCES public.typing_session(id);


--
-- Name: participant fk_participant_study_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.participant
    ADD CONSTRAINT fk_participant_study_id FOREIGN KEY (study_id) REFERENCES public.study(id);


--
-- Name: predicted_quality fk_predicted_quality_recording_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.predicted_quality
    ADD CONSTRAINT fk_predicted_quality_recording_id FOREIGN KEY (recording_id) REFERENCES public.recording(id);


--
-- Name: presentation fk_presentation_first_recording_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.presentation
    ADD CONSTRAINT fk_presentation_first_recording_id FOREIGN KEY (first_recording_id) REFERENCES public.recording(id);


--
-- Name: presentation fk_presentation_participant_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.presentation
    ADD CONSTRAINT fk_presentation_participant_id FOREIGN KEY (participant_id) REFERENCES public.participant(id);


--
-- Name: presentation fk_presentation_second_recording_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.presentation
    ADD CONSTRAINT fk_presentation_second_recording_id FOREIGN KEY (second_recording_id) REFERENCES public.recording(id);


--
-- Name: questionnaire_answer fk_questionnaire_answer_participant_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.questionnaire_answer
    ADD CONSTRAINT fk_questionnaire_answer_participant_id FOREIGN KEY (participant_id) REFERENCES public.participant(id);


--
-- Name: recording_job fk_recording_job_recording_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recording_job
    ADD CONSTRAINT fk_recording_job_recording_id FOREIGN KEY (recording_id) REFERENCES public.recording(id);


--
-- Name: session_metrics fk_session_metrics_recording_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.session_metrics
    ADD CONSTRAINT fk_session_metrics_recording_id FOREIGN KEY (recording_id) REFERENCES public.recording(id);


--
-- Name: study_event fk_study_event_study_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.study_event
    ADD CONSTRAINT fk_study_event_study_id FOREIGN KEY (study_id) REFERENCES public.study(id);


--
-- Name: trial_recording fk_trial_recording_recording_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.trial_recording
    ADD CONSTRAINT fk_trial_recording_recording_id FOREIGN KEY (recording_id) REFERENCES public.recording(id);


--
-- Name: trial_recording fk_trial_recording_study_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.trial_recording
    ADD CONSTRAINT fk_trial_recording_study_id FOREIGN KEY (study_id) REFERENCES public.study(id);


--
-- Name: typing_session fk_typing_session_presentation_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.typing_session
    ADD CONSTRAINT fk_typing_session_presentation_id FOREIGN KEY (presentation_id) REFERENCES public.presentation(id);


--
-- Name: vote fk_vote_presentation_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.vote
    ADD CONSTRAINT fk_vote_presentation_id FOREIGN KEY (presentation_id) REFERENCES public.presentation(id);


--
-- PostgreSQL database dump complete
--


