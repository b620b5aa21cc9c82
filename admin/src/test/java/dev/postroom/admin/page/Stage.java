package dev.postroom.admin.page;

import dev.postroom.admin.Role;
import java.util.ArrayList;
import java.util.List;

/** A server, an outbox with its relay, and a browser. */
final class Stage implements AutoCloseable {
    final Postroom postroom = new Postroom();
    final PageServer server = new PageServer(postroom.store);
    private final List<Screen> screens = new ArrayList<>();

    /** An operator at a desk, by day. */
    Screen operator() {
        return screen(Browser.DESK, false, Role.OPERATOR);
    }

    Screen viewer() {
        return screen(Browser.DESK, false, Role.VIEWER);
    }

    Screen screen(int width, boolean dark, Role role) {
        Screen screen = Browser.shared().screen(server.address(), width, dark, role);
        screens.add(screen);
        return screen;
    }

    /** Whatever a test looked at, the browser must not have complained. */
    void clear(boolean passed) {
        try {
            if (passed) {
                screens.forEach(Screen::expectNoComplaints);
            }
        } finally {
            screens.forEach(Screen::close);
            screens.clear();
            server.line().accept();
            postroom.settleDown();
        }
    }

    @Override
    public void close() {
        server.close();
        postroom.close();
    }
}
