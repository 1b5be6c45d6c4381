using System.Net;
using FastTests.Documents;
using Raven.Security.Floods;

namespace FastTests.Security;

/// <summary>Failures are counted by source, in a table that does not grow.</summary>
[Trait("Security", "46")]
public sealed class FailedLoginsTests
{
    private readonly TestClock _clock = new();

    [Fact]
    [Trait("Invariant", "FLOOD-1")]
    public void A_source_waits_a_minute_from_its_21st_failure_in_a_minute_on()
    {
        var failures = new FailedLogins(_clock);
        IPAddress source = IPAddress.Parse("192.0.2.7");
        for (int i = 0; i < FailedLogins.PerMinuteMax; i++)
        {
            Assert.False(failures.Note(source));
            Assert.Equal(TimeSpan.Zero, failures.WaitOf(source));
        }

        Assert.True(failures.Note(source));
        Assert.Equal(FailedLogins.Wait, failures.WaitOf(source));
        Assert.False(failures.Note(source));
        Assert.Equal(TimeSpan.Zero, failures.WaitOf(IPAddress.Parse("192.0.2.8")));
        _clock.Now += FailedLogins.Wait;
        Assert.Equal(TimeSpan.Zero, failures.WaitOf(source));
        Assert.False(failures.Note(source));
    }

    [Fact]
    public void Failures_that_are_a_minute_old_do_not_count()
    {
        var failures = new FailedLogins(_clock);
        for (int i = 0; i < 200; i++)
        {
            Assert.False(failures.Note(IPAddress.Loopback));
            _clock.Now += TimeSpan.FromSeconds(4);
        }
    }

    [Fact]
    public void Addresses_of_one_IPv6_network_are_one_source_and_mapped_ones_are_those_of_IPv4()
    {
        var failures = new FailedLogins(_clock);
        for (int i = 0; i <= FailedLogins.PerMinuteMax; i++)
        {
            failures.Note(IPAddress.Parse($"2001:db8:1:2::{i:x}"));
            failures.Note(IPAddress.Parse("::ffff:192.0.2.9"));
        }

        Assert.NotEqual(TimeSpan.Zero, failures.WaitOf(IPAddress.Parse("2001:db8:1:2:ffff::1")));
        Assert.Equal(TimeSpan.Zero, failures.WaitOf(IPAddress.Parse("2001:db8:1:3::1")));
        Assert.NotEqual(TimeSpan.Zero, failures.WaitOf(IPAddress.Parse("192.0.2.9")));
        Assert.Equal(2, failures.SourceCount);
    }

    [Fact]
    [Trait("Invariant", "FLOOD-2")]
    public void The_table_forgets_the_source_that_failed_longest_ago()
    {
        var failures = new FailedLogins(_clock);
        IPAddress busy = IPAddress.Parse("198.51.100.1");
        for (int i = 0; i <= FailedLogins.PerMinuteMax; i++)
        {
            failures.Note(busy);
        }

        for (int i = 0; i < 3 * FailedLogins.SourcesMax; i++)
        {
            failures.Note(new IPAddress([10, (byte)(i >> 16), (byte)(i >> 8), (byte)i]));
            if (i % 1000 == 0)
            {
                failures.Note(busy);
            }
        }

        Assert.Equal(FailedLogins.SourcesMax, failures.SourceCount);
        Assert.NotEqual(TimeSpan.Zero, failures.WaitOf(busy));
        Assert.Equal(TimeSpan.Zero, failures.WaitOf(IPAddress.Parse("10.0.0.0")));
    }

    [Fact]
    public void A_clock_that_is_set_back_begins_a_new_minute()
    {
        var failures = new FailedLogins(_clock);
        for (int i = 0; i < FailedLogins.PerMinuteMax; i++)
        {
            failures.Note(IPAddress.Loopback);
        }

        _clock.Now += TimeSpan.FromHours(-2);
        Assert.False(failures.Note(IPAddress.Loopback));
    }

    [Fact]
    public void A_clock_that_is_set_back_makes_no_wait_longer()
    {
        var failures = new FailedLogins(_clock);
        MakeWait(failures, IPAddress.Loopback);
        _clock.Now += TimeSpan.FromHours(-2);
        Assert.Equal(TimeSpan.Zero, failures.WaitOf(IPAddress.Loopback));
    }

    [Fact]
    [Trait("Invariant", "FLOOD-3")]
    public void Of_a_source_that_waits_few_connections_are_taken_in_a_second_and_of_others_all()
    {
        var failures = new FailedLogins(_clock);
        IPAddress source = IPAddress.Parse("192.0.2.7");
        failures.Note(source);
        Assert.Equal(1000, Taken(1000));
        MakeWait(failures, source);
        Assert.Equal(FailedLogins.ConnectionsOfWaitingMax, Taken(1000));
        _clock.Now += TimeSpan.FromSeconds(1);
        Assert.Equal(FailedLogins.ConnectionsOfWaitingMax, Taken(1000));
        Assert.True(failures.MayConnect(IPAddress.Parse("192.0.2.8")));
        _clock.Now += FailedLogins.Wait;
        Assert.Equal(1000, Taken(1000));

        int Taken(int tries) => Enumerable.Range(0, tries).Count(_ => failures.MayConnect(source));
    }

    private static void MakeWait(FailedLogins failures, IPAddress source)
    {
        for (int i = 0; i <= FailedLogins.PerMinuteMax; i++)
        {
            failures.Note(source);
        }

        Assert.NotEqual(TimeSpan.Zero, failures.WaitOf(source));
    }
}
