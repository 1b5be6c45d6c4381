using Raven.Server.Diagnostics;
using Shared.Storage;

namespace FastTests.Server;

public sealed class LogThrottleTests
{
    [Fact]
    public void A_line_passes_once_in_the_interval_and_says_how_many_did_not()
    {
        var clock = new ManualClock();
        var throttle = new LogThrottle(clock, TimeSpan.FromSeconds(1));
        Assert.True(throttle.TryTake(out long skipped));
        Assert.Equal(0, skipped);
        clock.Advance(TimeSpan.FromMilliseconds(999));
        Assert.False(throttle.TryTake(out _));
        Assert.False(throttle.TryTake(out _));
        clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.True(throttle.TryTake(out skipped));
        Assert.Equal(2, skipped);
    }
}
