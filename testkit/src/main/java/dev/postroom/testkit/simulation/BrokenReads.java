package dev.postroom.testkit.simulation;

import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Pages that are broken on purpose, for one relay. */
final class BrokenReads {
    private static final int EVERYTHING = 10_000;

    private List<FollowedMessage> before = List.of();

    /** All that lies in the ranges' lanes. */
    static PageRequest fromTheBeginning(PageRequest request) {
        List<PageRequest.Range> ranges = request.ranges().stream()
                .map(range -> new PageRequest.Range(range.lane(), 0, Long.MAX_VALUE, EVERYTHING))
                .toList();
        return new PageRequest(
                request.previous(),
                request.reaches(),
                ranges,
                request.lateLimit(),
                request.due(),
                request.sweep(),
                request.bounds());
    }

    /** A page on which no scan got on; what is late stays so. */
    static PageAnswer nothing(PageRequest request, PageAnswer answer) {
        if (!(answer instanceof PageAnswer.Page page)) {
            return answer;
        }
        return new PageAnswer.Page(
                List.of(),
                request.ranges().stream()
                        .map(range -> new PageAnswer.RangeRows(range, List.of(), range.after(), true))
                        .toList(),
                new PageAnswer.DueRows(
                        List.of(),
                        request.due().lanes().stream()
                                .map(from -> new PageAnswer.DueEnd(from, false))
                                .toList()),
                new PageAnswer.Swept(
                        List.of(),
                        request.sweep().spans().stream()
                                .map(PageRequest.Span::after)
                                .toList()),
                request.previous() == null ? page.next() : request.previous(),
                page.at());
    }

    /** As if the rows of the page before had committed late, though most of them were settled since. */
    PageAnswer withRowsOfThePageBefore(PageAnswer answer) {
        if (!(answer instanceof PageAnswer.Page page)) {
            return answer;
        }
        List<FollowedMessage> rows = new ArrayList<>();
        page.ranges().forEach(range -> rows.addAll(range.rows()));
        Set<Object> keys = new HashSet<>();
        rows.forEach(row -> keys.add(row.key()));
        page.late().forEach(row -> keys.add(row.key()));
        List<FollowedMessage> late = new ArrayList<>(page.late());
        before.stream().filter(row -> keys.add(row.key())).forEach(late::add);
        late.sort(Comparator.comparingLong(FollowedMessage::seq));
        if (!rows.isEmpty()) {
            before = rows;
        }
        return new PageAnswer.Page(late, page.ranges(), page.due(), page.swept(), page.next(), page.at());
    }
}
