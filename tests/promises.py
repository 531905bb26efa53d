"What rbkit promises about safety, and the tests that attack each promise; the chapter `nbs/safety.ipynb` shows what they found"
import json, os
from pathlib import Path

PROMISES = dict( # id -> (promise, the attack, tests)
    P1=("Code of a model reads and writes nothing but its scratch folder, sees no environment, opens no connection, starts and signals no process",
        "reads /etc/passwd, the tasks and the environment of its host; writes elsewhere; connects; forks; signals; looks for the gold",
        ["test_lock.py::test_an_attack_that_works_is_stopped_by_the_lock", "test_lock.py::test_what_no_profile_lets_through", "test_lock.py::test_a_model_that_looks_for_the_gold",
         "test_lock.py::test_a_missing_layer_refuses", "test_interpreters.py::test_without_pyodide_no_code_runs", "test_interpreters.py::test_wasm_opens_nothing_and_ends", "test_lock.py::test_a_layer_that_only_pretends_is_found_out", "test_lock.py::test_without_its_layer_an_attack_works"]),
    P2=("No step blocks for ever, and no process outlives its run", "endless loops, a tool that hangs, a host that is killed",
        ["test_lock.py::test_what_never_ends_is_ended", "test_lock.py::test_no_process_outlives_a_host_that_was_killed", "test_lock.py::test_a_stopped_process_can_be_ended", "test_lock.py::test_a_step_after_a_pause_calls_tools_and_ends_in_time", "test_interpreters.py::test_wasm_ends_with_a_host_that_was_killed", "test_agents.py::test_a_tool_that_hangs_ends_as_a_timeout", "test_runs.py::test_workers_end_with_a_run_that_was_killed",
         "test_lock.py::test_folders_of_processes_that_were_killed_are_swept", "test_controls.py::test_without_its_signal_a_worker_outlives_its_parent", "test_controls.py::test_without_a_sweep_the_folder_of_a_killed_process_stays", "test_controls.py::test_without_a_deadline_a_step_goes_on"]),
    P3=("What code prints, raises, submits or passes on is bounded", "50 MB in an error, 30 MB in an answer, 200 MB printed, lists in lists, 8 MB of code",
        ["test_models.py::test_an_answer_without_an_end_is_cut_off", "test_models.py::test_an_answer_without_an_end_is_no_failure_of_the_agent", "test_models.py::test_what_is_packed_so_that_nobody_knows_how_much_it_is_stays_packed", "test_services.py::test_an_answer_that_is_packed_so_that_nobody_knows_how_much_it_is_stays_packed", "test_services.py::test_an_answer_that_is_packed_once_is_unpacked_a_little_at_a_time", "test_graphs.py::test_what_unpacks_to_too_much_is_refused", "test_new_suites.py::test_an_archive_that_unpacks_to_too_much_is_not_unpacked", "test_graphs.py::test_loading_takes_no_more_memory_than_it_may", "test_graphs.py::test_loading_takes_no_longer_than_it_may",
         "test_adaptive.py::test_a_snapshot_that_lies_is_refused_and_changes_nothing", "test_lock.py::test_what_is_too_much_is_an_error_of_the_step", "test_lock.py::test_printing_much_costs_little", "test_lock.py::test_nothing_runs_between_two_steps", "test_lock.py::test_lines_that_nobody_reads_wait_in_the_pipe", "test_lock.py::test_a_full_folder_ends_the_step", "test_lock.py::test_much_code_is_not_in_the_next_prompt",
         "test_controls.py::test_without_its_caps_a_step_passes_all_of_it_on", "test_controls.py::test_without_its_caps_an_answer_has_no_end", "test_controls.py::test_with_room_enough_what_unpacks_to_much_is_loaded", "test_controls.py::test_without_a_cap_a_long_answer_of_a_server_is_read_to_its_end", "test_durable.py::test_rows_that_unpack_to_too_much_are_not_unpacked"]),
    P4=("An attempt never loses its trace: whatever ends it, the steps that had ended are there, and why it ended", "a model that fails, a worker that ends its process, at each of the first steps",
        ["test_lock.py::test_a_trace_has_all_steps_that_ended_and_says_why", "test_lock.py::test_an_attempt_that_throws_its_trace_away_is_found_out", "test_agents.py::test_endings",
         "test_durable.py::test_a_trace_is_there_when_its_attempt_is_killed_at_any_step_and_no_step_stands_twice", "test_durable.py::test_a_trace_whose_row_was_not_written_is_written_once"]),
    P5=("Handles survive: what a handle names comes back as it went in, a handle is short wherever it is shown, and what reads one returns little", "a thousand payloads of every kind, on their way to code and back; large ones, read in parts",
        ["test_lock.py::test_a_handle_survives_and_is_short", "test_lock.py::test_a_value_survives_the_way_to_a_tool_and_back"]),
    P6=("The same code does the same on every interpreter", "more than thirty steps, side by side", ["test_interpreters.py::test_a_step_gives_the_same_everywhere", "test_backends.py::test_rows_under_the_lock_are_those_without",
        "test_backends.py::test_rows_of_executors_under_the_lock_are_those_without", "test_backends.py::test_rows_of_other_experiments_under_the_lock_are_those_without"]),
    P7=("Attempts that run side by side do not touch each other", "threads and processes against one after another", ["test_backends.py::test_threads", "test_backends.py::test_eight_threads", "test_backends.py::test_processes", "test_controls.py::test_with_one_worker_for_all_an_attempt_reads_what_another_wrote"]),
    P8=("A query reads this graph and nothing else", "thirty queries on three engines: updates, SERVICE, FROM and what is spelt otherwise, with a canary that listens",
        ["test_graphs.py::test_canaries_stay_alive", "test_graphs.py::test_canary_sings", "test_graphs.py::test_redirects_stay_at_home", "test_agents.py::test_a_name_that_is_a_query_is_asked_as_a_name_or_not_at_all", "test_services.py::test_only_the_named_address_is_asked"]),
    P9=("A query ends, and what it returns is bounded", "cross joins, catastrophic patterns, a server that drips", ["test_graphs.py::test_heavy_queries_end", "test_graphs.py::test_a_heavy_query_ends_in_time_and_within_its_rows", "test_graphs.py::test_memory_is_capped",
         "test_graphs.py::test_bytes_are_capped", "test_graphs.py::test_a_slow_drip_ends", "test_graphs.py::test_a_killed_process_comes_back", "test_graphs.py::test_a_long_text_holds_nobody_up", "test_graphs.py::test_reading_a_query_takes_time_as_its_length_does", "test_graphs.py::test_a_query_has_the_tokens_that_one_expression_finds", "test_graphs.py::test_no_query_of_a_model_runs_without_a_deadline", "test_trust.py::test_a_query_in_a_lesson_is_read_where_the_graph_reads_its_own",
         "test_controls.py::test_without_a_deadline_a_heavy_query_goes_on", "test_controls.py::test_without_a_cap_of_bytes_all_of_an_answer_is_read", "test_controls.py::test_without_a_deadline_a_drip_is_waited_for", "test_controls.py::test_without_a_check_a_redirect_leads_elsewhere", "test_graphs.py::test_what_would_take_long_to_read_is_refused_before_the_long_part", "test_graphs.py::test_the_grammar_reads_as_rdflibs_does"]),
    P10=("A limit that is put into a query keeps its meaning", "queries that say LIMIT in a comment, in a text, in a prefix, in a sub-query, before OFFSET and before VALUES",
        ["test_graphs.py::test_a_limit_that_is_put_in_takes_nothing_else_away", "test_graphs.py::test_a_limit_is_put_in_wherever_it_belongs", "test_graphs.py::test_a_limit_elsewhere_than_at_the_end_is_no_limit",
         "test_controls.py::test_a_limit_that_is_written_behind_a_query_changes_it"]),
    P11=("Nothing unproven is shown by itself, and nobody vouches for his own lesson", "four kinds of poisoned lessons through every way into a bank, for a hundred questions; one source that fills it",
        ["test_trust.py::test_nothing_unproven_is_shown_by_itself", "test_trust.py::test_proof_is_checked_wins_on_distinct_tasks_of_other_runs", "test_trust.py::test_an_agent_cannot_vouch_for_itself", "test_mcp.py::test_no_tool_raises_a_tier",
         "test_trust.py::test_whoever_comes_from_outside_brings_words_alone", "test_trust.py::test_no_way_in_lets_one_source_fill_the_quarantine", "test_trust.py::test_memory_is_shown_as_data", "test_trust.py::test_marks_are_rare_on_honest_items_and_delete_nothing", "test_trust.py::test_whatever_an_item_from_outside_is_long_in_is_too_long", "test_trust.py::test_whatever_a_file_is_long_in_is_too_long", "test_trust.py::test_no_way_into_a_bank_is_without_a_bound",
         "test_trust.py::test_a_file_of_archived_items_fills_the_share_of_its_source", "test_trust.py::test_what_was_looked_at_and_put_away_keeps_its_place", "test_trust.py::test_wins_are_of_the_words_that_were_tried",
         "test_trust.py::test_a_file_brings_no_link_and_no_vector_that_nobody_vouches_for", "test_trust.py::test_a_model_that_searches_is_told_what_is_unproven", "test_shown.py::test_a_notebook_obeys_nothing_in_what_was_written", "test_shown.py::test_a_terminal_obeys_nothing"]),
    P12=("What a run wrote can be taken back, with all that was made from it", "histories of random events, rolled back and purged", ["test_trust.py::test_rollback_and_purge_leave_no_trace_in_the_state",
         "test_bank.py::test_rollback_is_exact_and_can_be_undone", "test_bank.py::test_a_purged_run_leaves_nothing_findable", "test_bank.py::test_a_purged_run_no_longer_disputes_anything",
         "test_trust.py::test_a_purge_brings_back_what_was_shown_and_nothing_else", "test_trust.py::test_a_purge_takes_a_merge_apart_into_what_both_were", "test_controls.py::test_a_purge_that_forgets_what_was_derived_leaves_it"]),
    P13=("A bank that is killed is whole", "kill -9, a full disk, a migration that is cut short", ["test_bank.py::test_kill_9_leaves_the_bank_whole", "test_trust.py::test_a_full_disk_loses_nothing_that_was_acknowledged",
         "test_bank.py::test_a_migration_that_is_killed_leaves_the_old_file", "test_controls.py::test_without_a_transaction_half_of_it_is_there"]),
    P14=("Nothing that was acknowledged is lost when the power fails", "a disk that drops, keeps or tears what was not synchronised; two weaker settings as controls that must fail",
        ["test_trust.py::test_a_power_cut_loses_nothing_that_was_acknowledged", "test_durable.py::test_what_was_paid_is_on_disk_before_it_is_used", "test_durable.py::test_rows_that_cost_nothing_are_on_disk_before_the_manifest_says_so", "test_durable.py::test_what_a_layer_learned_is_on_disk_when_it_is_acknowledged"]),
    P15=("Many may write to one bank", "eight writers, threads and processes", ["test_trust.py::test_eight_writers_lose_no_update", "test_trust.py::test_writers_take_turns", "test_bank.py::test_threads_share_a_bank", "test_bank.py::test_processes_share_a_file",
         "test_controls.py::test_with_a_plain_begin_two_that_read_first_cannot_both_write", "test_controls.py::test_without_patience_a_writer_gives_up_at_once"]),
    P16=("Damage is noticed, and never handed out", "flipped bits, edited columns, an emptied file, an edited or doubled row", ["test_trust.py::test_flipped_bits_are_noticed_and_hand_out_nothing_else",
         "test_trust.py::test_a_digest_holds_all_but_the_counters_and_goes_with_a_copy", "test_trust.py::test_every_column_and_the_index_are_compared", "test_trust.py::test_an_edited_row_is_not_handed_out_and_comes_back_from_the_log", "test_trust.py::test_a_file_cut_to_nothing_is_no_bank",
         "test_trust.py::test_a_torn_line_is_mended_and_said_and_an_edited_or_doubled_row_is_named", "test_durable.py::test_a_row_that_was_changed_where_nobody_keeps_sums_is_noticed", "test_durable.py::test_a_changed_row_is_not_vouched_for_by_going_on"]),
    P17=("What code does to its own process is the agent's failure, never an attempt that does not count", "exits, crashes, forged messages, closed descriptors",
        ["test_interpreters.py::test_code_that_ends_its_process_again_and_again_is_given_up", "test_lock.py::test_what_code_did_is_the_agents_failure", "test_lock.py::test_what_a_step_does_to_python_ends_with_its_process", "test_lock.py::test_a_forged_message_ends_at_most_the_step",
         "test_controls.py::test_without_a_restart_an_exit_is_nobodys_failure"]),
    P18=("A run that is killed loses no row and no paid answer", "kill -9 at any moment, in a run, a report and between two requests",
        ["test_runs.py::test_killed_at_any_moment_and_resumed", "test_runs.py::test_runs_survive_forty_five_kills", "test_runs.py::test_a_killed_report_can_be_run_again", "test_money.py::test_a_killed_run_goes_on_from_what_it_paid",
         "test_money.py::test_caps_hold_across_sittings_and_workers_and_nothing_is_paid_twice", "test_money.py::test_without_a_journal_what_was_paid_is_paid_again"]),
    P19=("Neither a run that somebody gave you nor the folder that you stand in decides what may run, and where a key is sent", "a .env, a settings.ini and a run.json with words of their own; a server that repeats the key; YAML, arrays and archives that would run or write",
        ["test_backends.py::test_settings_from_a_file_of_ones_own", "test_backends.py::test_a_folder_says_neither_where_a_key_is_sent_nor_that_code_may_run", "test_backends.py::test_a_folder_may_not_loosen_and_what_was_left_out_is_named", "test_models.py::test_a_key_is_sent_and_never_written", "test_models.py::test_a_key_is_in_no_report", "test_new_suites.py::test_what_a_stranger_sends_runs_nothing_and_stays_in_its_folder",
         "test_controls.py::test_without_a_list_a_folder_sets_whatever_it_likes"]),
)

MARKS = dict( # id -> what passes, as it was set before the first of these tests was written; times are measured, and no test fails for them
    P1="24 of 24 attacks are denied; 4 of 4 missing layers refuse", P2="back within the limit and a second; 3 restarts at most; no process is left; a worker is dead 2 s after its host",
    P3="1.1 GiB for a worker; 50 MB more for its host; what is shown is within its cap, a step of a trace within 64 kB", P4="the trace has all steps that ended, and its last line says why it ended",
    P5="500 of 500 values; 120 characters of a handle at most, 1,000 of what a tool returns; nothing on the wire that not every interpreter has", P6="30 of 30 snippets on each",
    P7="24 of 24 attempts in 8 threads", P8="30 queries on 3 engines: nobody is called, nothing changes, one table of verdicts", P9="10 queries at 2 s and 1 GiB: 2.5 s each; rows and bytes within their caps; the next query works",
    P10="14 fixed and 200 generated queries, all of them", P11="4 kinds of poison for 100 questions: 0 % are shown; 1 % of honest texts flagged at most", P12="300 events: each tenth can be gone back to, to the byte",
    P13="50 rounds of kill -9 (20 in the short set): none lost, none half done", P14="600 of 600 cuts; the control fails in 95 %", P15="8 processes, 200 changes each: no error, no update lost, 99 % within 250 ms",
    P16="400 flipped bits: none is handed out, 85 % are reported",
    P17="every deed counts as wrong", P18="45 kills: no row is lost, none is made twice, nothing is paid twice", P19="no word of theirs is obeyed",
)

def counted(reports):
    "Per promise: what is promised, what passes, what attacks it, how its tests ended, how long they took, and what they measured"
    found = {}
    for id, (promise, attack, tests) in PROMISES.items():
        mine = [r for r in reports if r.nodeid.partition("[")[0].removeprefix("tests/") in tests]
        ended = {}
        for r in mine:
            if r.when == "call" or r.outcome != "passed": ended[r.nodeid] = r.outcome
        kinds = list(ended.values())
        measured = {name: value for r in mine if r.when == "call" for name, value in r.user_properties}
        found[id] = dict(promise=promise, mark=MARKS[id], attack=attack, tests=len(kinds), **{k: kinds.count(k) for k in ("passed", "failed", "skipped")},
            secs=round(sum(r.duration for r in mine), 1), measured=measured)
    return found

SETS = {"promise": "full", "promise and not slow": "short"} # what `-m` says -> the set's name

def named(config, status):
    "Which set pytest was asked for; anything else than all of its tests, run to their end, is a part"
    chosen = config.option
    narrowed = config.args != config.getini("testpaths") or chosen.keyword or chosen.deselect or chosen.lf or status > 1
    return "part" if narrowed else SETS.get(chosen.markexpr, "part")

def write(path, which, reports, secs):
    "Keep what a run of the tests found, which set of them it was, and how long all of it took by the clock"
    from rbkit.trials.runs import provenance
    busy = round(os.getloadavg()[1], 1) if hasattr(os, "getloadavg") else None
    found = dict(made=provenance(), set=which, secs=round(secs, 1), processors=os.cpu_count(), load=busy, promises=counted(reports))
    Path(path).write_text(json.dumps(found, indent=1)+"\n", encoding="utf-8")
