package dev.postroom.server.web;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;

/** Lets filters cut off a client that does not take its answer: the servlet API has no word for that. */
final class CutValve extends ValveBase {
    private static final String CUT = CutValve.class.getName();

    CutValve() {
        super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        Runnable cut = () -> response.getCoyoteResponse()
                .action(ActionCode.CLOSE_NOW, new IOException("the client took too long to take its answer"));
        request.setAttribute(CUT, cut);
        getNext().invoke(request, response);
    }

    /** To be called by a thread that the server gave to this request; nothing is written afterwards. */
    static void cut(ServletRequest request) {
        if (request.getAttribute(CUT) instanceof Runnable cut) {
            cut.run();
        }
    }
}
