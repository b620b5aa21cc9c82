package dev.postroom.spring.boot4;

import dev.postroom.spring.boot.BrokersContract;

class BrokersTest extends BrokersContract {}
