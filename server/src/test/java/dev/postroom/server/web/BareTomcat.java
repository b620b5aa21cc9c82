package dev.postroom.server.web;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServlet;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** The server's Tomcat with some of its filters, and one servlet for everything. */
final class BareTomcat implements AutoCloseable {
    private final Tomcat tomcat = new Tomcat();
    private final AtomicInteger ended = new AtomicInteger();

    BareTomcat(Path folder, Consumer<Connector> settings, HttpServlet servlet, Filter... filters)
            throws LifecycleException {
        tomcat.setBaseDir(folder.toString());
        tomcat.setSilent(true);
        Connector connector = new Connector(PunctualHttp.class.getName());
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        settings.accept(connector);
        tomcat.setConnector(connector);
        StandardContext context = (StandardContext) tomcat.addContext("", null);
        context.setClearReferencesRmiTargets(false);
        context.setClearReferencesThreadLocals(false);
        context.addApplicationEventListener(new ServletRequestListener() {
            @Override
            public void requestDestroyed(ServletRequestEvent event) {
                ended.incrementAndGet();
            }
        });
        Tomcat.addServlet(context, "servlet", servlet).setAsyncSupported(true);
        context.addServletMappingDecoded("/", "servlet");
        for (Filter filter : filters) {
            add(context, filter);
        }
        tomcat.start();
    }

    private static void add(Context context, Filter filter) {
        FilterDef definition = new FilterDef();
        definition.setFilterName(filter.getClass().getName());
        definition.setFilter(filter);
        definition.setAsyncSupported("true");
        context.addFilterDef(definition);
        FilterMap map = new FilterMap();
        map.setFilterName(definition.getFilterName());
        map.addURLPattern("/*");
        map.setDispatcher(DispatcherType.REQUEST.name());
        map.setDispatcher(DispatcherType.ASYNC.name());
        context.addFilterMap(map);
    }

    /** How many requests the server is done with. */
    int ended() {
        return ended.get();
    }

    int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void close() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
    }
}
