"""One node of the engine's search, and so all of them: principal variation search.

The techniques around it are on pages of their own: `transpositions` (the table), `pruning` (what is left out),
`reductions` (how deep), `moves` (listing and picking moves) and `ordering` (what orders them). None of them recurses:
a compiled program that is loaded from the cache allows recursion only in one function that calls itself.
"""

from __future__ import annotations

from typing import Any

from zermelo.kernel.calls import prefetch
from zermelo.kernel.ordinals import number_of, signed
from zermelo.lookup.retrograde import INVALID
from zermelo.search.bookkeeping import NODES
from zermelo.search.engine.memory import Memory
from zermelo.search.engine.moves import (
    LEFT_OUT,
    PICKED_SINGLY,
    TRIED,
    best_of,
    learn_from_cutoff,
    list_all,
    list_noisy,
    list_safe,
    rank_moves,
    slot_in,
    sort_rest,
    wins_at_once,
)
from zermelo.search.engine.pruning import (
    LATE_DEPTH,
    PROBCUT_CHECKS,
    delta,
    futility,
    is_improving,
    is_late,
    late_move_count,
    loses_material,
    needs_estimate,
    null_move_applies,
    null_move_depth,
    probcut_applies,
    probcut_window,
    quiescence_continues,
    reverse_futility,
    stand_pat,
)
from zermelo.search.engine.reductions import (
    REDUCED_DEPTH,
    check_extension,
    internal_iterative_reduction,
    is_forced,
    late_move_reduction,
    may_be_singular,
    singular_beta,
)
from zermelo.search.engine.scores import LOWER, TOP, UNKNOWN, WIN, WINS, earlier, later
from zermelo.search.engine.switches import (
    BEAM,
    BOUNDS,
    CUTS,
    CYCLES,
    ESTIMATES,
    EXCLUDED,
    FIRST_CUTS,
    INTERNAL,
    QUIESCENT,
    ROOT_HINT,
    ROOT_SCORE,
    SAFE,
    SALT,
    SCOUT,
    SOUND,
    TABLE,
    TABLE_FIRST,
)
from zermelo.search.engine.table import NO_INDEX, SOLVED, depth_in, index_in, score_in
from zermelo.search.engine.transpositions import (
    enhanced_transposition_cutoff,
    informed,
    kept_index,
    store_result,
    table_cutoff,
)

NOTHING, NO_PASS = -1, -2
"""What a node leaves out: nothing, or the null move; otherwise the move at that place in the list."""


def search_node(
    game: Any, s: Any, player: int, search: Memory, ply: int, depth: int, alpha: int, beta: int, view: int, skip: int
) -> int:
    """The score of a state, as the first player (view 1) or the other (-1) sees it, if it lies within the window.

    Otherwise a bound on it, as tight as was found (fail-soft).
    """
    search.visit(game, s, ply)
    if game.is_terminal(s):
        return search.leave(game, search.end(game.utility(s, player), view, ply))
    mover = game.to_move(s)
    if mover < 0 or mover >= game.players:
        search.fail(ply)
    if search.has_recurs and search.switches[CYCLES] != 0 and ply > 0 and game.recurs(s):
        search.counts[ESTIMATES] += 1
        return search.leave(game, search.end(game.utility(s, player), view, ply))
    turn = 1 if game.side(mover) == game.side(player) else -1
    flip = turn * view  # inside, scores are the mover's
    if flip < 0:
        alpha, beta = -beta, -alpha
    low, high = alpha, beta  # the window asked for; alpha and beta are what is left of it
    nothing = number_of(NOTHING)  # a literal would be a type of its own, and the recursion could not be cached
    standing = True
    if search.has_may_stand and search.horizon:
        standing = game.may_stand(s)
        if not standing:
            depth += check_extension(search, depth, ply)
    quiescing = depth <= 0 and search.horizon
    best, ceiling = number_of(-TOP), number_of(TOP)  # the score is at least this, and at most that

    # What is known without searching: endgame tables, the game's own bounds, and the table.
    if search.has_endgames and ply > 0:
        code = search.prober.code_of(game, s)
        if code != INVALID:
            return search.leave(game, flip * search.from_endgames(game, s, code, player, turn))
    if search.has_bounds and search.switches[BOUNDS] != 0 and ply > 0:
        least, most = game.bounds(s)
        best = search.least(least, turn)
        ceiling = search.most(most, turn)
        if best >= beta or best == ceiling:
            return search.leave(game, flip * best)
        if ceiling <= alpha:
            return search.leave(game, flip * ceiling)
        alpha = max(alpha, best)
        beta = min(beta, ceiling)
    estimates = search.counts[ESTIMATES]
    nodes = search.counts[NODES]
    left = game.plies_left(s)
    plies = min(depth, left)
    uses_table = 0 < search.switches[TABLE] <= left and skip < 0
    if ply == 0 and search.limits[EXCLUDED] > 0:
        uses_table = False
    hint, place, key, data = number_of(-1), number_of(0), number_of(0), number_of(0)
    if uses_table:
        word = game.canonical_key(s) ^ search.limits[SALT]
        place = search.bucket_of(word)
        key = signed(word)
        data = search.look_up(place, key)
        if data != 0:
            hint = index_in(data)
            # In games that ask about repetition, the principal variation is searched without table cutoffs.
            asked = ply > 0 and (not game.uses_history or alpha + 1 == beta)
            if asked and table_cutoff(search, data, depth, alpha, beta):
                return search.leave(game, flip * score_in(data))
        if hint in (-1, NO_INDEX) and search.horizon and ply > 0:
            depth -= internal_iterative_reduction(search, depth)

    # The horizon, and forward pruning: in null windows, if the mover may stand pat.
    guessing = search.horizon and search.switches[SOUND] == 0
    narrow = guessing and ply > 0 and alpha + 1 == beta
    cutting = search.cutting[ply] if narrow else 0
    pruning = narrow and standing and skip < 0 and -WINS < alpha < WINS
    count, noisy, estimate = number_of(0), number_of(0), number_of(0)
    noisy_only, hopeless, improving = False, False, False
    if skip < 0:
        search.estimated[ply] = UNKNOWN
        if quiescing or (guessing and standing and needs_estimate(search, depth)):
            estimate = turn * search.estimate_of(game, s, player, ply)
            search.estimated[ply] = turn * estimate
            improving = guessing and is_improving(search, ply, turn)
    if guessing and standing:
        estimate = informed(data, estimate)
    if quiescing:
        estimate = stand_pat(search, estimate, best, ceiling)
        if not quiescence_continues(search, depth):
            return search.leave(game, flip * estimate)
        search.counts[QUIESCENT] += 1
        if standing:
            noisy_only = True
            best = max(best, estimate)
    elif pruning:
        safe = reverse_futility(search, estimate, depth, improving)
        if safe >= beta:
            search.counts[ESTIMATES] += 1
            return search.leave(game, flip * safe)
        if skip != NO_PASS and probcut_applies(search, depth, left):
            fails_high = estimate >= beta
            for number in range(PROBCUT_CHECKS):
                shallow, bound = probcut_window(game, s, depth, number, beta, fails_high)
                if shallow == 0:
                    break
                search.leave(game, nothing)
                score = search_node(game, s, player, search, ply, shallow, bound - 1, bound, turn, number_of(NO_PASS))
                if (score >= bound) == fails_high:
                    search.counts[ESTIMATES] += 1
                    return flip * (beta if fails_high else alpha)
                search.enter_again(game, s, ply)
            search.counts[ESTIMATES] = estimates
            if uses_table and data == 0:
                data = search.look_up(place, key)
                if data != 0:
                    hint = index_in(data)
        if skip != NO_PASS and null_move_applies(game, s, search, estimate, depth, beta):
            reduced, after = null_move_depth(search, estimate, depth, beta), game.after_pass(s)
            search.cutting[ply + 1] = 1 - cutting
            search.slots[ply] = -1
            score = -search_node(
                game, after, player, search, ply + 1, reduced, -beta, -alpha, -turn, number_of(NO_PASS)
            )
            if beta <= score < WINS:
                search.counts[ESTIMATES] += 1
                return search.leave(game, flip * score)
        hope = futility(search, estimate, depth)
        hopeless = hope <= alpha
        if hopeless and depth == 1:
            search.counts[ESTIMATES] += 1
            noisy_only = True
            best = max(best, hope)
    if noisy_only:
        if best >= beta:
            return search.leave(game, flip * best)
        alpha = max(alpha, best)
        hint = number_of(-1)  # it is a place in another list
        noisy, count = list_noisy(game, s, search, ply, quiescing and depth == 0)
        if count == 0:
            return search.leave(game, flip * best)

    # Singular extension, or internal iterative deepening: the same position is searched in another way first.
    singular = number_of(-1)
    if search.horizon and hint != NO_INDEX and may_be_singular(search, data, depth, ply):
        others = singular_beta(search, data)
        search.leave(game, others)
        score = search_node(game, s, player, search, ply, depth // 2, others - 1, others, turn, hint)
        search.enter_again(game, s, ply)
        search.counts[ESTIMATES] = estimates  # an estimate that only orders moves does not spoil a proof
        if score < others:
            singular = hint
    elif search.horizon and uses_table and data == 0 and search.switches[INTERNAL] != 0:
        shallow = plies // 2 - search.switches[INTERNAL]
        if shallow >= 1:
            search.leave(game, nothing)
            search_node(game, s, player, search, ply, shallow, alpha, beta, turn, number_of(NO_PASS))
            search.enter_again(game, s, ply)
            search.counts[ESTIMATES] = estimates
            data = search.look_up(place, key)
            if data != 0:
                hint = index_in(data)

    # The moves.
    moves, order, rank = search.moves[ply], search.order[ply], search.rank_of[ply]
    safely = search.has_safe_actions and search.switches[SAFE] != 0 and not quiescing and not noisy_only
    if safely:
        # If the move before was safe, the mover cannot win at once.
        if (ply < 2 or flip < 0 or skip != NOTHING) and wins_at_once(game, s, player, search, ply, turn):
            return search.leave(game, flip * (WIN - 1))
        count = list_safe(game, s, search, ply)
        if ply > 0:
            if count == 0:  # the opponent wins with the next move
                return search.leave(game, -flip * (WIN - 2))
            best = max(best, -(WIN - 4))
            alpha = max(alpha, best)
            beta = min(beta, WIN - 3)
            if alpha >= beta:
                return search.leave(game, flip * (best if best >= high else WIN - 3))
    if count == 0 or (ply == 0 and safely and search.limits[EXCLUDED] > 0):
        count = list_all(game, s, search, ply)
    if hint >= count:
        hint = number_of(-1)
    if ply == 0 and search.limits[ROOT_HINT] != 0 and (data == 0 or low + 1 < high):
        for j in range(count):
            if moves[j] == search.first[0]:
                hint = number_of(j)
    if uses_table and ply > 0 and 0 < search.switches[TABLE_FIRST] <= plies:
        chosen, score = enhanced_transposition_cutoff(game, s, search, mover, moves, count, beta)
        if chosen >= 0:
            search.store(place, key, score, chosen, number_of(SOLVED), number_of(1), number_of(LOWER))
            return search.leave(game, flip * score)

    # The search.
    side = 0 if turn > 0 else 1
    forced = search.horizon and not noisy_only and not quiescing and is_forced(search, count, ply)
    ordered = False
    searched = 0
    chosen = number_of(NO_INDEX)
    for number in range(count):
        if number == 0 and (hint >= 0 or count == 1):
            i = max(hint, number_of(0))
        else:
            if not ordered:  # not before a move is needed after the table's, which often causes a cutoff
                ordered = True
                rank_moves(game, s, search, ply, side, count)
                if number > 0:
                    order[hint] = TRIED
            if number == PICKED_SINGLY:
                sort_rest(order, rank, search.sorted_moves[ply], count)
            if number < PICKED_SINGLY:
                i = best_of(order, rank, count)
            else:
                i = search.sorted_moves[ply, number - PICKED_SINGLY]
        order[i] = TRIED
        if i == skip:
            continue
        a = moves[i]
        if ply == 0 and search.is_excluded(a):
            continue
        if noisy_only and search.has_gain:
            gain = game.gain(s, a)
            hope = delta(search, estimate, gain)
            if gain < 0.0 or (hope <= alpha and i < noisy):
                best = max(best, min(hope, alpha))
                continue
        if search.horizon and 0 < search.switches[BEAM] <= searched and not quiescing:
            search.counts[ESTIMATES] += 1
            break
        searched += 1
        prunable = search.horizon and standing and not quiescing
        late = prunable and is_late(game, s, search, a, searched)
        pruned = late and narrow and depth <= LATE_DEPTH and searched > late_move_count(depth, hopeless, improving)
        losing = prunable and narrow and not pruned and loses_material(game, s, search, a, searched, depth)
        after = game.result(s, a)
        if (late or losing) and search.has_may_stand and not game.may_stand(after):
            late = pruned = losing = False  # it gives check, or the like
        if (losing or pruned) and best > -WINS:
            search.counts[ESTIMATES] += 1
            rank[i] = LEFT_OUT
            continue
        search.path[ply] = a
        search.slots[ply] = slot_in(game, s, search, a)
        if uses_table and left > search.switches[TABLE]:
            prefetch(search.entries, search.bucket_of(game.canonical_key(after) ^ search.limits[SALT]))
            if search.remembers_evaluations:
                prefetch(search.evaluated, search.place_of(game.key(after) ^ search.limits[SALT]))
        deeper = depth if forced or i == singular else depth - 1
        before = search.counts[ESTIMATES]
        again = True
        score = number_of(-TOP)
        if late and depth >= REDUCED_DEPTH:
            less = late_move_reduction(search, depth, searched, rank[i], alpha + 1 == beta, improving, ply)
            reduced = max(deeper - less - cutting, 1)
            if reduced < deeper:
                search.cutting[ply + 1] = 1
                score = -search_node(
                    game, after, player, search, ply + 1, reduced, -later(alpha + 1), -later(alpha), -turn, nothing
                )
                score = earlier(score)
                again = score > alpha
        search.cutting[ply + 1] = 1 - cutting
        if again and searched > 1 and search.switches[SCOUT] != 0 and alpha + 1 < beta:
            score = -search_node(
                game, after, player, search, ply + 1, deeper, -later(alpha + 1), -later(alpha), -turn, nothing
            )
            score = earlier(score)
            again = alpha < score < beta
        if again:
            score = -search_node(
                game, after, player, search, ply + 1, deeper, -later(beta), -later(alpha), -turn, nothing
            )
            score = earlier(score)
        if score > best or (ply == 0 and chosen == NO_INDEX):
            best = max(best, score)
            chosen = i
            if ply == 0:
                search.counts[ROOT_SCORE] = score
                search.prefer(ply, a)
            elif score > alpha:
                search.prefer(ply, a)
            if best >= beta:
                search.counts[CUTS] += 1
                if searched == 1:
                    search.counts[FIRST_CUTS] += 1
                learn_from_cutoff(game, s, search, ply, side, i, searched, count, depth)
                if search.counts[ESTIMATES] == before:
                    estimates = before  # the other moves do not matter, nor what was estimated for them
                break
            alpha = max(alpha, best)

    if uses_table and (not quiescing or (guessing and (data == 0 or depth_in(data) == 0))):
        index = number_of(NO_INDEX) if noisy_only else kept_index(search, data, best, low, chosen)
        store_result(search, place, key, best, index, depth, low, high, estimates, nodes)
    return search.leave(game, flip * best)
