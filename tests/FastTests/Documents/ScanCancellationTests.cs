using System.Text;
using Raven.Blittable.Contexts;
using Raven.Documents;
using Raven.Documents.Ids;

namespace FastTests.Documents;

/// <summary>Scans that find nothing end when no client waits for them anymore.</summary>
public sealed class ScanCancellationTests
{
    private const int Documents = 1500;

    [Theory]
    [InlineData("z*", "")]
    [InlineData("", "*")]
    public void A_prefix_search_that_matches_nothing_ends_when_it_is_cancelled(string matches, string exclude)
    {
        using TestDatabase database = new();
        database.StartBatch();
        for (int i = 0; i < Documents; i++)
        {
            Assert.True(database.AddPut($"d/{i}", "{}"));
        }

        Assert.True(database.Submit());
        using var context = new OperationContext();
        Assert.True(PrefixQuery.TryCreate(
            context.Arena, "d/"u8, default, Encoding.UTF8.GetBytes(matches), Encoding.UTF8.GetBytes(exclude),
            out PrefixQuery query, out DocumentIdError _));
        using DocumentSnapshot snapshot = database.Database.BeginRead();
        Assert.False(snapshot.DocumentsByPrefix(in query).MoveNext(out _));
        Assert.Throws<OperationCanceledException>(() => snapshot
            .DocumentsByPrefix(query with { Cancellation = new CancellationToken(canceled: true) })
            .MoveNext(out _));
    }

    [Fact]
    public void A_long_scan_checks_for_cancellation_every_1024_steps()
    {
        var watch = new ScanCancellation(new CancellationToken(canceled: true));
        for (int i = 1; i < 1024; i++)
        {
            watch.Step();
        }

        Assert.Throws<OperationCanceledException>(() => watch.Step());
    }
}
