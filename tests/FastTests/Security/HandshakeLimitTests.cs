using System.Net;
using FastTests.Documents;
using Raven.Security.Floods;

namespace FastTests.Security;

/// <summary>Handshakes are counted, all and by source, and what is remembered of them goes with them.</summary>
[Trait("Security", "11")]
public sealed class HandshakeLimitTests
{
    private static readonly IPAddress Busy = IPAddress.Parse("192.0.2.1");

    private readonly FailedLogins _failures = new(new TestClock());

    [Fact]
    [Trait("Invariant", "FLOOD-4")]
    public void A_source_has_half_of_all_handshakes_and_leaves_the_others_to_others()
    {
        var limit = new HandshakeLimit(8, _failures);
        Assert.Equal(4, Begun(limit, Busy, 2000));
        Assert.Equal(1996, limit.RefusedCount);
        for (int i = 2; i <= 5; i++)
        {
            Assert.True(limit.TryBegin(IPAddress.Parse($"192.0.2.{i}")));
        }

        Assert.Equal((8, 5), (limit.Count, limit.SourceCount));
        Assert.False(limit.TryBegin(IPAddress.Parse("192.0.2.6")));
        limit.End(Busy);
        Assert.True(limit.TryBegin(IPAddress.Parse("192.0.2.6")));
        Assert.Equal((8, 6), (limit.Count, limit.SourceCount));
    }

    [Fact]
    [Trait("Invariant", "FLOOD-4")]
    public void Nothing_is_remembered_of_handshakes_that_have_ended()
    {
        var limit = new HandshakeLimit(1000, _failures);
        for (int round = 0; round < 3; round++)
        {
            IPAddress[] sources =
                [.. Enumerable.Range(0, 1000).Select(i => new IPAddress([10, (byte)round, (byte)(i >> 8), (byte)i]))];
            Assert.All(sources, source => Assert.True(limit.TryBegin(source)));
            Assert.Equal((1000, 1000), (limit.Count, limit.SourceCount));
            Array.ForEach(sources, limit.End);
            Assert.Equal((0, 0), (limit.Count, limit.SourceCount));
        }
    }

    [Fact]
    [Trait("Invariant", "FLOOD-3")]
    public void A_source_that_waits_begins_few_handshakes()
    {
        var limit = new HandshakeLimit(1000, _failures);
        for (int i = 0; i <= FailedLogins.PerMinuteMax; i++)
        {
            _failures.Note(Busy);
        }

        Assert.Equal(FailedLogins.ConnectionsOfWaitingMax, Begun(limit, Busy, 400));
        Assert.Equal(400, Begun(limit, IPAddress.Parse("192.0.2.2"), 400));
    }

    private static int Begun(HandshakeLimit limit, IPAddress source, int tries) =>
        Enumerable.Range(0, tries).Count(_ => limit.TryBegin(source));
}
