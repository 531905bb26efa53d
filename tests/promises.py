"What rbkit promises about safety, and the tests that attack each promise; the chapter `nbs/safety.ipynb` shows what they found"
import json
from pathlib import Path

PROMISES = dict( # id -> (promise, the attack, tests)
    P1=("Code of a model reads and writes nothing but its scratch folder, sees no environment, opens no connection, starts and signals no process",
        "reads /etc/passwd, the tasks and the environment of its host; writes elsewhere; connects; forks; signals; looks for the gold",
        ["test_lock.py::test_an_attack_that_works_is_stopped_by_the_lock", "test_lock.py::test_what_no_profile_lets_through", "test_lock.py::test_a_model_that_looks_for_the_gold",
         "test_lock.py::test_a_missing_layer_refuses", "test_interpreters.py::test_without_pyodide_no_code_runs", "test_interpreters.py::test_wasm_opens_nothing_and_ends", "test_lock.py::test_a_layer_that_only_pretends_is_found_out", "test_lock.py::test_without_its_layer_an_attack_works"]),
    P2=("No step blocks for ever, and no process outlives its run", "endless loops, a tool that hangs, a host that is killed",
        ["test_lock.py::test_what_never_ends_is_ended", "test_lock.py::test_no_process_outlives_a_host_that_was_killed", "test_lock.py::test_a_stopped_process_can_be_ended", "test_lock.py::test_a_step_after_a_pause_calls_tools_and_ends_in_time", "test_interpreters.py::test_wasm_ends_with_a_host_that_was_killed", "test_agents.py::test_a_tool_that_hangs_ends_as_a_timeout", "test_runs.py::test_workers_end_with_a_run_that_was_killed"]),
    P3=("What code prints, raises, submits or passes on is bounded", "50 MB in an error, 30 MB in an answer, 200 MB printed, lists in lists, 8 MB of code",
        ["test_models.py::test_an_answer_without_an_end_is_cut_off", "test_models.py::test_an_answer_without_an_end_is_no_failure_of_the_agent", "test_models.py::test_what_is_packed_so_that_nobody_knows_how_much_it_is_stays_packed", "test_services.py::test_an_answer_that_is_packed_so_that_nobody_knows_how_much_it_is_stays_packed", "test_services.py::test_an_answer_that_is_packed_once_is_unpacked_a_little_at_a_time", "test_graphs.py::test_what_unpacks_to_too_much_is_refused", "test_new_suites.py::test_an_archive_that_unpacks_to_too_much_is_not_unpacked", "test_durable.py::test_rows_that_unpack_to_too_much_are_not_unpacked", "test_graphs.py::test_loading_takes_no_more_memory_than_it_may", "test_graphs.py::test_loading_takes_no_longer_than_it_may",
         "test_adaptive.py::test_a_snapshot_that_lies_is_refused_and_changes_nothing", "test_lock.py::test_what_is_too_much_is_an_error_of_the_step", "test_lock.py::test_printing_much_costs_little", "test_lock.py::test_nothing_runs_between_two_steps", "test_lock.py::test_lines_that_nobody_reads_wait_in_the_pipe", "test_lock.py::test_a_full_folder_ends_the_step", "test_lock.py::test_much_code_is_not_in_the_next_prompt"]),
    P4=("What code does to its own process is the agent's failure, never an attempt that does not count", "exits, crashes, forged messages, closed descriptors",
        ["test_interpreters.py::test_code_that_ends_its_process_again_and_again_is_given_up", "test_lock.py::test_what_code_did_is_the_agents_failure", "test_lock.py::test_what_a_step_does_to_python_ends_with_its_process", "test_lock.py::test_a_forged_message_ends_at_most_the_step"]),
    P5=("A run that is killed loses no row and no paid answer", "kill -9 at any moment, in a run, a report and between two requests",
        ["test_runs.py::test_killed_at_any_moment_and_resumed", "test_runs.py::test_runs_survive_forty_five_kills", "test_runs.py::test_a_killed_report_can_be_run_again", "test_money.py::test_a_killed_run_goes_on_from_what_it_paid",
         "test_money.py::test_caps_hold_across_sittings_and_workers_and_nothing_is_paid_twice", "test_durable.py::test_a_trace_is_there_when_its_attempt_is_killed_at_any_step_and_no_step_stands_twice", "test_durable.py::test_a_trace_whose_row_was_not_written_is_written_once"]),
    P6=("The same code does the same on every interpreter", "more than thirty steps, side by side", ["test_interpreters.py::test_a_step_gives_the_same_everywhere", "test_lock.py::test_a_value_survives_the_way_to_a_tool_and_back", "test_backends.py::test_rows_under_the_lock_are_those_without",
        "test_backends.py::test_rows_of_executors_under_the_lock_are_those_without", "test_backends.py::test_rows_of_other_experiments_under_the_lock_are_those_without"]),
    P7=("Attempts that run side by side do not touch each other", "threads and processes against one after another", ["test_backends.py::test_threads", "test_backends.py::test_eight_threads", "test_backends.py::test_processes"]),
    P8=("A query reads this graph and nothing else", "thirty queries on three engines: updates, SERVICE, FROM and what is spelt otherwise, with a canary that listens",
        ["test_graphs.py::test_canaries_stay_alive", "test_graphs.py::test_canary_sings", "test_graphs.py::test_redirects_stay_at_home", "test_agents.py::test_a_name_that_is_a_query_is_asked_as_a_name_or_not_at_all", "test_services.py::test_only_the_named_address_is_asked"]),
    P9=("A query ends, and what it returns is bounded", "cross joins, catastrophic patterns, a server that drips", ["test_graphs.py::test_heavy_queries_end", "test_graphs.py::test_a_heavy_query_ends_in_time_and_within_its_rows", "test_graphs.py::test_a_limit_elsewhere_than_at_the_end_is_no_limit", "test_graphs.py::test_a_limit_that_is_put_in_takes_nothing_else_away", "test_graphs.py::test_memory_is_capped",
         "test_graphs.py::test_bytes_are_capped", "test_graphs.py::test_a_slow_drip_ends", "test_graphs.py::test_a_killed_process_comes_back", "test_graphs.py::test_a_long_text_holds_nobody_up", "test_graphs.py::test_what_would_take_long_to_read_is_refused_before_the_long_part", "test_graphs.py::test_the_grammar_reads_as_rdflibs_does", "test_graphs.py::test_reading_a_query_takes_time_as_its_length_does", "test_graphs.py::test_a_query_has_the_tokens_that_one_expression_finds", "test_graphs.py::test_no_query_of_a_model_runs_without_a_deadline", "test_trust.py::test_a_query_in_a_lesson_is_read_where_the_graph_reads_its_own"]),
    P10=("Neither a run that somebody gave you nor the folder that you stand in decides what may run, and where a key is sent", "a .env, a settings.ini and a run.json with words of their own; a server that repeats the key; YAML, arrays and archives that would run or write",
        ["test_backends.py::test_settings_from_a_file_of_ones_own", "test_backends.py::test_a_folder_says_neither_where_a_key_is_sent_nor_that_code_may_run", "test_backends.py::test_a_folder_may_not_loosen_and_what_was_left_out_is_named", "test_models.py::test_a_key_is_sent_and_never_written", "test_models.py::test_a_key_is_in_no_report", "test_new_suites.py::test_what_a_stranger_sends_runs_nothing_and_stays_in_its_folder"]),
    P11=("Nothing unproven is shown by itself, and nobody vouches for his own lesson", "four kinds of poisoned lessons through every way into a bank, for a hundred questions; one source that fills it",
        ["test_trust.py::test_nothing_unproven_is_shown_by_itself", "test_trust.py::test_proof_is_checked_wins_on_distinct_tasks_of_other_runs", "test_trust.py::test_an_agent_cannot_vouch_for_itself", "test_mcp.py::test_no_tool_raises_a_tier",
         "test_trust.py::test_whoever_comes_from_outside_brings_words_alone", "test_trust.py::test_no_way_in_lets_one_source_fill_the_quarantine", "test_trust.py::test_memory_is_shown_as_data", "test_trust.py::test_marks_are_rare_on_honest_items_and_delete_nothing", "test_trust.py::test_whatever_an_item_from_outside_is_long_in_is_too_long", "test_trust.py::test_whatever_a_file_is_long_in_is_too_long", "test_trust.py::test_no_way_into_a_bank_is_without_a_bound",
         "test_trust.py::test_a_file_of_archived_items_fills_the_share_of_its_source", "test_trust.py::test_what_was_looked_at_and_put_away_keeps_its_place", "test_trust.py::test_wins_are_of_the_words_that_were_tried",
         "test_trust.py::test_a_file_brings_no_link_and_no_vector_that_nobody_vouches_for", "test_trust.py::test_a_model_that_searches_is_told_what_is_unproven", "test_shown.py::test_a_notebook_obeys_nothing_in_what_was_written", "test_shown.py::test_a_terminal_obeys_nothing"]),
    P12=("What a run wrote can be taken back, with all that was made from it", "histories of random events, rolled back and purged", ["test_trust.py::test_rollback_and_purge_leave_no_trace_in_the_state",
         "test_bank.py::test_rollback_is_exact_and_can_be_undone", "test_bank.py::test_a_purged_run_leaves_nothing_findable", "test_bank.py::test_a_purged_run_no_longer_disputes_anything",
         "test_trust.py::test_a_purge_brings_back_what_was_shown_and_nothing_else", "test_trust.py::test_a_purge_takes_a_merge_apart_into_what_both_were"]),
    P13=("A bank that is killed is whole", "kill -9, a full disk, a migration that is cut short", ["test_bank.py::test_kill_9_leaves_the_bank_whole", "test_trust.py::test_a_full_disk_loses_nothing_that_was_acknowledged",
         "test_bank.py::test_a_migration_that_is_killed_leaves_the_old_file"]),
    P14=("Nothing that was acknowledged is lost when the power fails", "a disk that drops, keeps or tears what was not synchronised; two weaker settings as controls that must fail",
        ["test_trust.py::test_a_power_cut_loses_nothing_that_was_acknowledged", "test_durable.py::test_what_was_paid_is_on_disk_before_it_is_used", "test_durable.py::test_rows_that_cost_nothing_are_on_disk_before_the_manifest_says_so", "test_durable.py::test_what_a_layer_learned_is_on_disk_when_it_is_acknowledged"]),
    P15=("Many may write to one bank", "eight writers, threads and processes", ["test_trust.py::test_eight_writers_lose_no_update", "test_trust.py::test_writers_take_turns", "test_bank.py::test_threads_share_a_bank", "test_bank.py::test_processes_share_a_file"]),
    P16=("Damage is noticed, and never handed out", "flipped bits, edited columns, an emptied file, an edited or doubled row", ["test_trust.py::test_flipped_bits_are_noticed_and_hand_out_nothing_else",
         "test_trust.py::test_a_digest_holds_all_but_the_counters_and_goes_with_a_copy", "test_trust.py::test_every_column_and_the_index_are_compared", "test_trust.py::test_an_edited_row_is_not_handed_out_and_comes_back_from_the_log", "test_trust.py::test_a_file_cut_to_nothing_is_no_bank",
         "test_trust.py::test_a_torn_line_is_mended_and_said_and_an_edited_or_doubled_row_is_named", "test_durable.py::test_a_row_that_was_changed_where_nobody_keeps_sums_is_noticed", "test_durable.py::test_a_changed_row_is_not_vouched_for_by_going_on"]),
)

def counted(reports):
    "Per promise: what is promised, what attacks it, how its tests ended and how long they took"
    found = {}
    for id, (promise, attack, tests) in PROMISES.items():
        mine = [r for r in reports if r.nodeid.partition("[")[0].removeprefix("tests/") in tests]
        ended = {}
        for r in mine:
            if r.when == "call" or r.outcome != "passed": ended[r.nodeid] = r.outcome
        kinds = list(ended.values())
        found[id] = dict(promise=promise, attack=attack, tests=len(kinds), **{k: kinds.count(k) for k in ("passed", "failed", "skipped")}, secs=round(sum(r.duration for r in mine), 1))
    return found

SETS = {"promise": "full", "promise and not slow": "short"} # what `-m` says -> the set's name

def named(config, status):
    "Which set pytest was asked for; anything else than all of its tests, run to their end, is a part"
    chosen = config.option
    narrowed = config.args != config.getini("testpaths") or chosen.keyword or chosen.deselect or chosen.lf or status > 1
    return "part" if narrowed else SETS.get(chosen.markexpr, "part")

def write(path, which, reports):
    "Keep what a run of the tests found, and which set of them it was"
    from rbkit.trials.runs import provenance
    found = dict(made=provenance(), set=which, promises=counted(reports))
    Path(path).write_text(json.dumps(found, indent=1)+"\n", encoding="utf-8")
