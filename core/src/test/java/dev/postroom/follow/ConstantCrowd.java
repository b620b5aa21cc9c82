package dev.postroom.follow;

/** Whether tenants are put off, whatever the destination does. */
final class ConstantCrowd extends Crowd {
    private final boolean putsOff;

    ConstantCrowd(boolean putsOff) {
        this.putsOff = putsOff;
    }

    @Override
    boolean putsOff() {
        return putsOff;
    }
}
