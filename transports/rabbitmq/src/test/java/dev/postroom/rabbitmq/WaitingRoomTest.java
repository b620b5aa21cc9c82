package dev.postroom.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R41")
class WaitingRoomTest {

    @ParameterizedTest
    @CsvSource({
        "0, S1",
        "1, S1",
        "1000, S1",
        "3999, S1",
        "4000, S4",
        "15999, S4",
        "16000, S16",
        "300000, S256",
        "86400000, S256"
    })
    void a_message_waits_in_the_longest_room_that_is_not_too_long(long millis, WaitingRoom room) {
        assertThat(WaitingRoom.of(millis)).isEqualTo(room);
    }

    @ParameterizedTest
    @CsvSource({"2000, 2", "8000, 2", "300000, 6", "3600000, 15"})
    void a_long_delay_takes_few_rooms(long millis, int rooms) {
        int count = 0;
        for (long left = millis; left > 0; left -= WaitingRoom.of(left).millis()) {
            count++;
        }
        assertThat(count).isEqualTo(rooms);
    }
}
