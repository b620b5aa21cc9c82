package dev.postroom.server.output;

import dev.postroom.server.text.Printable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rows under headings, made to fit: the widest columns that may be cut are cut first; if that is not enough, columns are
 * left out from the right. So are columns in which no row has anything. Cells are made safe to print. Not thread-safe.
 */
public final class Table {
    private static final String GAP = "  ";
    private static final int NARROWEST = 8;

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    private Table(List<Column> columns) {
        this.columns = columns;
    }

    public static Table of(Column... columns) {
        return new Table(List.of(columns));
    }

    /** A column; {@code whole} ones are never cut. */
    public record Column(String title, boolean whole, boolean right) {
        public static Column whole(String title) {
            return new Column(title, true, false);
        }

        public static Column text(String title) {
            return new Column(title, false, false);
        }

        public static Column number(String title) {
            return new Column(title, true, true);
        }
    }

    /** Adds a row; null is an empty cell. */
    public Table row(@Nullable Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
        }
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell == null ? "" : Printable.line(cell.toString()));
        }
        rows.add(row);
        return this;
    }

    /** Prints headings and rows; a width of 0 cuts nothing. */
    public void print(PrintWriter out, int width) {
        int[] widths = fit(width == 0 ? Integer.MAX_VALUE : width);
        printRow(out, columns.stream().map(Column::title).toList(), widths);
        rows.forEach(row -> printRow(out, row, widths));
        out.flush();
    }

    /** A width per column; 0 for one that is left out. */
    private int[] fit(int most) {
        int[] widths = new int[columns.size()];
        for (int shown = columns.size(); shown >= 1; shown--) {
            widths = new int[columns.size()];
            for (int i = 0; i < shown; i++) {
                widths[i] = isEmpty(i) ? 0 : naturalWidth(i);
            }
            if (cut(widths, most)) {
                return widths;
            }
        }
        return widths;
    }

    /** Cuts the widest again and again; false when that does not help. */
    private boolean cut(int[] widths, int most) {
        while (total(widths) > most) {
            int widest = -1;
            for (int i = 0; i < widths.length; i++) {
                boolean cuttable = !columns.get(i).whole() && widths[i] > NARROWEST;
                if (cuttable && (widest < 0 || widths[i] > widths[widest])) {
                    widest = i;
                }
            }
            if (widest < 0) {
                return false;
            }
            widths[widest]--;
        }
        return true;
    }

    private static int total(int[] widths) {
        int shown = (int) IntStream.of(widths).filter(width -> width > 0).count();
        return IntStream.of(widths).sum() + GAP.length() * (shown - 1);
    }

    private boolean isEmpty(int column) {
        return rows.stream().allMatch(row -> row.get(column).isEmpty());
    }

    private int naturalWidth(int column) {
        int widest = length(columns.get(column).title());
        for (List<String> row : rows) {
            widest = Math.max(widest, length(row.get(column)));
        }
        return widest;
    }

    private void printRow(PrintWriter out, List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] > 0) {
                line.append(i == 0 ? "" : GAP)
                        .append(pad(cells.get(i), widths[i], columns.get(i).right()));
            }
        }
        out.println(line.toString().stripTrailing());
    }

    private static String pad(String cell, int width, boolean right) {
        int length = length(cell);
        if (length > width) {
            return cell.substring(0, cell.offsetByCodePoints(0, width - 1)) + "…";
        }
        String blanks = " ".repeat(width - length);
        return right ? blanks + cell : cell + blanks;
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
