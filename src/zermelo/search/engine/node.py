"""One node of the engine's search, and so all of them: principal variation search with everything around it."""

from __future__ import annotations

import math
from typing import Any

from zermelo.kernel.calls import prefetch
from zermelo.kernel.history import remember
from zermelo.kernel.ordinals import float_of, number_of, ordinal, signed
from zermelo.search.engine.memory import (
    BEAM,
    BOUNDS,
    COUNTER,
    CUTS,
    CYCLES,
    ESTIMATES,
    EXCLUDED,
    EXTENDED_LIMIT,
    FIRST_CUTS,
    FORCED,
    FORCING,
    FUTILITY,
    INTERNAL,
    LEAVES,
    NODES,
    NULL_MOVE,
    PROMISE,
    QUIESCENCE,
    QUIESCENT,
    REDUCED_WITHIN,
    REDUCTIONS,
    ROOT_HINT,
    ROOT_SCORE,
    SAFE,
    SALT,
    SCOUT,
    SINGULAR,
    SOUND,
    STRICT_DEPTH,
    TABLE,
    TABLE_CUTS,
    TABLE_FIRST,
    URGENT,
    Memory,
    best_of,
)
from zermelo.search.engine.scores import EXACT, LOWER, TOP, UPPER, WIN, WINS, earlier, later
from zermelo.search.engine.table import NO_INDEX, SOLVED, bound_in, depth_in, index_in, score_in

INF = math.inf
LEAST_PROMISE = -1e300
"""A move of less promise counts as one of this: less still means that it has been tried."""
NOTHING, NO_PASS = -1, -2
"""What a node leaves out: nothing, or the null move; otherwise the move of that number."""

QUIESCENCE_PLIES = 24
"""How far beyond the horizon noisy moves are followed."""
NULL_DEPTH, NULL_REDUCTION, NULL_UNITS = 3, 2, 16
"""From which depth on a null move is tried, how many plies less deeply, and from which advantage on one more."""
REDUCED_DEPTH, REDUCED_FROM = 3, 3
MUCH_EXPERIENCE = 1 << 13
"""What experience with a move makes a ply more or less."""
UNKNOWN_DEPTH = 4
"""From which depth on a position that the table does not know is searched a ply less deeply."""
LATE_DEPTH = 4
"""Up to which depth moves are left out that come too late in the order."""
SINGULAR_DEPTH, SINGULAR_UNITS = 6, 2
FUTILE_UNITS, FUTILE_DEPTH = 8, 6
"""What a ply can gain, and up to which depth a position is given up that is better than needed by more than that."""


def search_node(
    game: Any, s: Any, player: int, search: Memory, ply: int, depth: int, alpha: int, beta: int, view: int, skip: int
) -> int:
    """The score of a state, as the first player (view 1) or the other (-1) sees it, where it lies within the window.

    Otherwise a bound on it, as tight as was found (fail-soft).
    """
    search.visit(game, s, ply)
    search.length[ply] = 0
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
    nothing = number_of(NOTHING)  # a recursion that is called with a literal here and a number there cannot be cached
    standing = True
    if search.has_may_stand and search.horizon:
        standing = game.may_stand(s)
        if not standing and search.switches[URGENT] != 0 and depth >= 0 and 0 < ply < search.limits[EXTENDED_LIMIT]:
            depth += 1
    quiescing = depth <= 0 and search.horizon
    best, ceiling = number_of(-TOP), number_of(TOP)  # the score is at least this, and at most that

    # What is known without searching: the game's own bounds, and the table.
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
            far = depth_in(data)
            # Where repetitions count, the table does not answer on the main line, so that none is overlooked there.
            asked = ply > 0 and (not game.uses_history or alpha + 1 == beta)
            if asked and (far == depth if search.switches[STRICT_DEPTH] != 0 else far >= min(depth, SOLVED)):
                known, kind = score_in(data), bound_in(data)
                if kind == EXACT or (kind == LOWER and known >= beta) or (kind == UPPER and known <= alpha):
                    if far != SOLVED:
                        search.counts[ESTIMATES] += 1
                    search.counts[TABLE_CUTS] += 1
                    return search.leave(game, flip * known)

    if search.switches[REDUCTIONS] != 0 and uses_table and data == 0 and ply > 0 and depth > UNKNOWN_DEPTH:
        depth -= 1  # of a position of which nothing is known, the moves are in no good order

    # The horizon, and what is left out at a risk: where the window has no width, and nothing is under attack.
    narrow = search.horizon and search.switches[SOUND] == 0 and ply > 0 and alpha + 1 == beta
    count = 0
    stand, noisy = number_of(0), number_of(0)
    moves, order, rank = search.moves[ply], search.order[ply], search.rank_of[ply]
    noisy_only = False
    pruning = narrow and standing and skip < 0 and -WINS < alpha < WINS
    hopeless = False
    if quiescing or pruning:
        stand = turn * ordinal(search.finite(game.evaluate(s, player), ply))
    if quiescing:
        search.counts[LEAVES] += 1
        search.counts[ESTIMATES] += 1
        stand = min(max(stand, best), ceiling)
        if not search.has_noisy_actions or search.switches[QUIESCENCE] == 0 or depth <= -QUIESCENCE_PLIES:
            return search.leave(game, flip * stand)
        search.counts[QUIESCENT] += 1
        if standing:
            noisy_only = True
            best = max(best, stand)
    elif pruning:
        if search.switches[FUTILITY] != 0 and depth <= FUTILE_DEPTH:
            safe = ordinal(float_of(stand) - FUTILE_UNITS * depth * search.unit)
            if safe >= beta:
                search.counts[ESTIMATES] += 1
                return search.leave(game, flip * safe)
        if (
            search.switches[NULL_MOVE] != 0
            and depth >= NULL_DEPTH
            and skip != NO_PASS
            and stand >= beta
            and game.may_pass(s)
        ):
            reduced = depth - 1 - NULL_REDUCTION - depth // 4
            if float_of(stand) > float_of(beta) + NULL_UNITS * search.unit:
                reduced -= 1
            score = -search_node(
                game, game.after_pass(s), player, search, ply + 1, reduced, -beta, -alpha, -turn, number_of(NO_PASS)
            )
            if beta <= score < WINS:
                search.counts[ESTIMATES] += 1
                return search.leave(game, flip * score)
        if search.switches[FUTILITY] != 0 and depth <= LATE_DEPTH:
            hope = ordinal(float_of(stand) + FUTILE_UNITS * depth * search.unit)
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
        count = game.list_noisy_actions(s, moves)
        noisy = count
        if search.has_forcing_actions and quiescing and depth == 0 and search.switches[FORCING] != 0:
            count += game.list_forcing_actions(s, moves[count:])
        if count > len(moves):
            search.overflow(ply)
        if count == 0:
            return search.leave(game, flip * best)

    # Is the table's move the only good one? Then it is worth a closer look (Anantharaman, Campbell and Hsu 1990).
    singular = -1
    if (
        search.horizon
        and search.switches[SINGULAR] != 0
        and data != 0
        and ply > 0
        and ply < search.limits[EXTENDED_LIMIT]
        and depth >= SINGULAR_DEPTH
        and hint != NO_INDEX
        and (bound_in(data) & LOWER) != 0
        and depth_in(data) >= depth - 3
        and -WINS < score_in(data) < WINS
    ):
        others = ordinal(float_of(score_in(data)) - SINGULAR_UNITS * search.unit)
        search.leave(game, others)  # the same position is entered again
        score = search_node(game, s, player, search, ply, depth // 2, others - 1, others, turn, hint)
        remember(game, s)
        search.length[ply] = 0
        search.counts[ESTIMATES] = estimates  # what it was ordered by does not make a proof an estimate
        if score < others:
            singular = hint
    elif search.horizon and uses_table and data == 0 and search.switches[INTERNAL] != 0:
        shallow = plies // 2 - search.switches[INTERNAL]
        if shallow >= 1:
            search.leave(game, nothing)
            search_node(game, s, player, search, ply, shallow, alpha, beta, turn, number_of(NO_PASS))
            remember(game, s)
            search.length[ply] = 0
            search.counts[ESTIMATES] = estimates
            data = search.look_up(place, key)
            if data != 0:
                hint = index_in(data)

    # The moves.
    safely = search.has_safe_actions and search.switches[SAFE] != 0 and not quiescing and not noisy_only
    if safely:
        if ply < 2 or flip < 0 or skip != NOTHING:  # otherwise the move before was safe: the mover cannot win at once
            for a in game.actions(s):
                after = game.result(s, a)
                wins = game.is_terminal(after) and search.end(game.utility(after, player), turn, ply) == WIN
                if wins and not (ply == 0 and search.is_excluded(a)):
                    search.length[ply + 1] = 0
                    search.prefer(ply, a)
                    return search.leave(game, flip * (WIN - 1))
        for a in game.safe_actions(s):
            if count == len(moves):
                search.overflow(ply)
            moves[count] = a
            count += 1
        if ply > 0:
            if count == 0:  # whatever is played, the reply wins
                return search.leave(game, -flip * (WIN - 2))
            best = max(best, -(WIN - 4))
            alpha = max(alpha, best)
            beta = min(beta, WIN - 3)
            if alpha >= beta:
                return search.leave(game, flip * (best if best >= high else WIN - 3))
    if count == 0 or (ply == 0 and safely and search.limits[EXCLUDED] > 0):
        count = game.list_actions(s, moves)
        if count > len(moves):
            search.overflow(ply)
        if count == 0:
            search.fail(ply)
    if hint >= count:
        hint = -1
    if ply == 0 and search.limits[ROOT_HINT] != 0 and (data == 0 or low + 1 < high):
        for j in range(count):
            if moves[j] == search.first[0]:
                hint = j
    if uses_table and ply > 0 and 0 < search.switches[TABLE_FIRST] <= plies:
        for j in range(count):  # does the table know a reply that fails? (Plaat et al. 1996)
            after = game.result(s, moves[j])
            word = game.canonical_key(after) ^ search.limits[SALT]
            data = search.look_up(search.bucket_of(word), signed(word))
            if data != 0 and depth_in(data) == SOLVED and (bound_in(data) & UPPER) != 0:
                score = earlier(-score_in(data))
                if score >= beta and game.side(game.to_move(after)) != game.side(mover):
                    search.store(place, key, score, j, number_of(SOLVED), number_of(1), number_of(LOWER))
                    return search.leave(game, flip * score)

    # The search.
    side = 0 if turn > 0 else 1
    forced = (
        search.horizon
        and count == 1
        and not noisy_only
        and search.switches[FORCED] != 0
        and not quiescing
        and ply < search.limits[EXTENDED_LIMIT]
    )
    ordered = False
    searched = 0
    chosen = number_of(NO_INDEX)
    for number in range(count):
        if number == 0 and (hint >= 0 or count == 1):
            i = max(hint, number_of(0))
        else:
            if not ordered:
                ordered = True
                promising = search.has_promise and search.switches[PROMISE] != 0
                ranked = search.ranked()
                for j in range(count):
                    promise = game.promise(s, moves[j]) if promising else 0.0
                    order[j] = promise if promise > LEAST_PROMISE else LEAST_PROMISE  # nor may it be no number at all
                    rank[j] = search.quiet_rank(ply, side, moves[j]) if ranked else 0
                if number > 0:
                    order[hint] = -INF
            i = best_of(order, rank, count)
        order[i] = -INF  # it has had its turn
        if i == skip:
            continue
        a = moves[i]
        if ply == 0 and search.is_excluded(a):
            continue
        if noisy_only and search.has_gain:
            gain = game.gain(s, a)
            hope = ordinal(float_of(stand) + gain + FUTILE_UNITS * search.unit)
            if gain < 0.0 or (hope <= alpha and i < noisy):
                best = max(best, min(hope, alpha))
                continue
        if search.horizon and 0 < search.switches[BEAM] <= searched and not quiescing:
            search.counts[ESTIMATES] += 1
            break
        searched += 1
        late = (
            search.horizon
            and search.switches[REDUCTIONS] != 0
            and searched > REDUCED_FROM
            and not quiescing
            and standing
            and not game.is_noisy(s, a)
        )
        losing = (
            search.has_gain
            and search.switches[FUTILITY] != 0
            and narrow
            and searched > 1
            and depth <= LATE_DEPTH
            and not quiescing
            and standing
            and game.is_noisy(s, a)
            and game.gain(s, a) < 0.0
        )
        after = game.result(s, a)
        if (late or losing) and search.has_may_stand and not game.may_stand(after):
            late = losing = False  # it puts the other player under pressure
        enough = REDUCED_FROM if hopeless else REDUCED_FROM + depth * depth
        if best > -WINS and (losing or (late and narrow and depth <= LATE_DEPTH and searched > enough)):
            search.counts[ESTIMATES] += 1
            continue
        search.path[ply] = a
        if uses_table and left > search.switches[TABLE]:
            prefetch(search.entries, search.bucket_of(game.canonical_key(after) ^ search.limits[SALT]))
        deeper = depth if forced or i == singular else depth - 1
        before = search.counts[ESTIMATES]
        again = True
        score = number_of(-TOP)
        if late and depth >= REDUCED_DEPTH:
            reduced = search.reductions[min(depth, REDUCED_WITHIN - 1), min(searched, REDUCED_WITHIN - 1)]
            if reduced > 1 and (rank[i] >= COUNTER or alpha + 1 < beta):
                reduced -= 1
            if rank[i] < COUNTER:
                reduced -= max(min(rank[i] // MUCH_EXPERIENCE, 2), -2)
            if ply == 0:
                reduced //= 2  # what is overlooked here is overlooked for good
            reduced = max(deeper - reduced, 1)
            if reduced < deeper:
                score = -search_node(
                    game, after, player, search, ply + 1, reduced, -later(alpha + 1), -later(alpha), -turn, nothing
                )
                score = earlier(score)
                again = score > alpha
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
                if not game.is_noisy(s, a):
                    search.credit(ply, side, a, depth)
                    if searched > 1 and search.switches[REDUCTIONS] != 0:  # which moves come late then matters more
                        for j in range(count):
                            if order[j] == -INF and j != i and not game.is_noisy(s, moves[j]):
                                search.experience(ply, side, moves[j], depth, -1)
                if search.counts[ESTIMATES] == before:
                    estimates = before  # what the other moves rest on does not matter
                break
            alpha = max(alpha, best)

    if uses_table and not quiescing:
        if noisy_only:
            chosen = number_of(NO_INDEX)
        kind = LOWER if best >= high else UPPER if best <= low else EXACT
        far = min(max(depth, 0), SOLVED - 1)
        if search.switches[STRICT_DEPTH] == 0:
            if search.counts[ESTIMATES] == estimates:
                far = SOLVED
            elif search.switches[SOUND] != 0 and best >= WINS and kind != UPPER:
                far, kind = SOLVED, LOWER  # a win is a win, though there may be a sooner one
            elif search.switches[SOUND] != 0 and best <= -WINS and kind != LOWER:
                far, kind = SOLVED, UPPER
        search.store(place, key, best, chosen, far, search.counts[NODES] - nodes + 1, kind)
    return search.leave(game, flip * best)
