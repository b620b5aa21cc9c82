package dev.postroom.spring.boot3;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postroom.json.JacksonCodec;
import dev.postroom.spi.PayloadCodec;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Payloads are written and read as the rest of the application's JSON, by its own mapper, where it has one of Jackson 2. */
@AutoConfiguration(afterName = "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration")
@ConditionalOnClass({ObjectMapper.class, JacksonCodec.class})
public class PostroomJsonAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(PayloadCodec.class)
    @ConditionalOnSingleCandidate(ObjectMapper.class)
    PayloadCodec postroomPayloadCodec(ObjectMapper mapper) {
        return new JacksonCodec(mapper);
    }
}
