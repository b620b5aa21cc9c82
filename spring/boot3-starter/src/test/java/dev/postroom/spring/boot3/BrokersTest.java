package dev.postroom.spring.boot3;

import dev.postroom.spring.boot.BrokersContract;

class BrokersTest extends BrokersContract {}
