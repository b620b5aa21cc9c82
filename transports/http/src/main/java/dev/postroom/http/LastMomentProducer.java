package dev.postroom.http;

import java.io.IOException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.nio.AsyncRequestProducer;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.apache.hc.core5.http.nio.RequestChannel;
import org.apache.hc.core5.http.nio.entity.BasicAsyncEntityProducer;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http.protocol.HttpContext;

/** Sends a request when its connection stands, if it may still go then: connecting can take longer than a lease. */
final class LastMomentProducer implements AsyncRequestProducer {
    private final Exchange exchange;
    private final AsyncRequestProducer request;

    LastMomentProducer(Exchange exchange, HttpRequest head, byte[] body) {
        this.exchange = exchange;
        this.request = new BasicRequestProducer(head, new BasicAsyncEntityProducer(body, null));
    }

    @Override
    public void sendRequest(RequestChannel channel, HttpContext context) throws HttpException, IOException {
        if (!exchange.begin()) {
            throw new IOException("it is too late to send this request");
        }
        request.sendRequest(channel, context);
    }

    /** The relay repeats, the client does not. */
    @Override
    public boolean isRepeatable() {
        return false;
    }

    @Override
    public int available() {
        return request.available();
    }

    @Override
    public void produce(DataStreamChannel channel) throws IOException {
        request.produce(channel);
    }

    @Override
    public void failed(Exception cause) {
        request.failed(cause);
    }

    @Override
    public void releaseResources() {
        request.releaseResources();
    }
}
