using FastTests.Support;

namespace FastTests.Server;

/// <summary>Ordinary requests, answered 200 to 409, throw nothing inside of the server, on no thread.</summary>
[Collection(Alone.Name)]
public sealed class NoExceptionTests
{
    [Fact]
    public void Ordinary_requests_throw_no_exception()
    {
        using var server = new InMemoryServer();
        Assert.Empty(OrdinaryRequests.Run(server, rounds: 3));
    }

    [Fact]
    public void Ordinary_requests_throw_no_exception_on_a_machine_that_interrupts_them_all_the_time()
    {
        // If the system does not report a thread's own time, a delayed patch begins again.
        using var server = new InMemoryServer(OperatingSystem.IsLinux() ? new HurriedClock() : null);
        Assert.Empty(OrdinaryRequests.Run(server, rounds: 3));
    }

    [Fact]
    public void An_exception_that_another_thread_throws_and_catches_is_counted()
    {
        using var thrown = new ThrownExceptions();
        var other = new Thread(() => Assert.Throws<InvalidOperationException>(
            (Action)(() => throw new InvalidOperationException("on another thread"))));
        other.Start();
        other.Join();
        Assert.Contains("on another thread", Assert.Single(thrown.End()), StringComparison.Ordinal);
    }

    /// <summary>Between any two looks at it a second has passed.</summary>
    private sealed class HurriedClock : TimeProvider
    {
        private long _now;

        public override long GetTimestamp() => Interlocked.Add(ref _now, TimestampFrequency);
    }
}
