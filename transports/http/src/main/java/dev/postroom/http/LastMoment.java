package dev.postroom.http;

import java.io.IOException;
import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.client5.http.async.AsyncExecChain;
import org.apache.hc.client5.http.async.AsyncExecChainHandler;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.jspecify.annotations.Nullable;

/**
 * Stands between connecting and sending, and asks the exchange whether it may still go: connecting can take longer than a
 * lease. What fails before this was never sent.
 */
final class LastMoment implements AsyncExecChainHandler {
    private static final String EXCHANGE = "postroom.exchange";

    static HttpClientContext of(Exchange exchange) {
        HttpClientContext context = HttpClientContext.create();
        context.setAttribute(EXCHANGE, exchange);
        return context;
    }

    @Override
    public void execute(
            HttpRequest request,
            @Nullable AsyncEntityProducer body,
            AsyncExecChain.Scope scope,
            AsyncExecChain chain,
            AsyncExecCallback callback)
            throws HttpException, IOException {
        Exchange exchange = (Exchange) scope.clientContext.getAttribute(EXCHANGE);
        if (exchange != null && exchange.begin(scope.execRuntime::discardEndpoint)) {
            chain.proceed(request, body, scope, callback);
        } else {
            callback.failed(new IOException("it was too late to send this request"));
        }
    }
}
