package dev.postroom.http;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManager;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** HTTP clients that do as they are told: no redirects, no repetitions, no cookies, no proxies from the environment. */
final class Clients {
    private static final Logger LOG = LoggerFactory.getLogger(Clients.class);
    private static final int LONGEST_LINE = 16 * 1024;
    private static final int MOST_HEADERS = 200;

    private Clients() {}

    static CloseableHttpAsyncClient start(WebhookSettings settings) {
        CloseableHttpAsyncClient client = HttpAsyncClients.custom()
                .setConnectionManager(connections(settings))
                .setIOReactorConfig(IOReactorConfig.custom()
                        .setIoThreadCount(1)
                        .setTcpNoDelay(true)
                        .build())
                .setThreadFactory(threads("io"))
                .setHttp1Config(Http1Config.custom()
                        .setMaxLineLength(LONGEST_LINE)
                        .setMaxHeaderCount(MOST_HEADERS)
                        .build())
                // Header values beyond ASCII would become question marks otherwise.
                .setCharCodingConfig(CharCodingConfig.custom()
                        .setCharset(StandardCharsets.UTF_8)
                        .build())
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setAuthenticationEnabled(false)
                        .setProtocolUpgradeEnabled(false)
                        .setConnectionRequestTimeout(timeout(settings))
                        .setResponseTimeout(timeout(settings))
                        .build())
                .addExecInterceptorBefore(ChainElement.MAIN_TRANSPORT.name(), "last-moment", new LastMoment())
                // Also called while closing, where it means nothing; after anything else the client is not usable.
                .setIoReactorExceptionCallback(error -> LOG.debug("the I/O thread of a webhook has ended", error))
                .setUserAgent("Postroom")
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .build();
        client.start();
        return client;
    }

    private static PoolingAsyncClientConnectionManager connections(WebhookSettings settings) {
        int most = settings.maxConcurrent();
        PoolingAsyncClientConnectionManagerBuilder connections = PoolingAsyncClientConnectionManagerBuilder.create()
                .setDnsResolver(new CheckedLookup(settings.lookup(), settings.addresses()))
                .setMaxConnPerRoute(most)
                .setMaxConnTotal(most)
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(timeout(settings))
                        // A receiver may close an idle connection just when it is used again; and a name may move.
                        .setValidateAfterInactivity(TimeValue.ofSeconds(1))
                        .setTimeToLive(TimeValue.ofMinutes(1))
                        .build())
                .setDefaultTlsConfig(TlsConfig.custom()
                        .setHandshakeTimeout(timeout(settings))
                        .setVersionPolicy(HttpVersionPolicy.FORCE_HTTP_1)
                        .build());
        if (settings.tls() != null) {
            connections.setTlsStrategy(ClientTlsStrategyBuilder.create()
                    .setSslContext(settings.tls())
                    .buildAsync());
        }
        return connections.build();
    }

    private static Timeout timeout(WebhookSettings settings) {
        return Timeout.of(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    static ThreadFactory threads(String role) {
        return (@Nullable Runnable work) -> {
            Thread thread = new Thread(work, "postroom-http-" + role);
            thread.setDaemon(true);
            return thread;
        };
    }
}
