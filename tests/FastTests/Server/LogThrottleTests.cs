using Raven.Server.Diagnostics;
using Shared.Storage;

namespace FastTests.Server;

public sealed class LogThrottleTests
{
    [Fact]
    public void A_throttled_log_line_is_written_once_per_interval_with_the_number_of_skipped_ones()
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
