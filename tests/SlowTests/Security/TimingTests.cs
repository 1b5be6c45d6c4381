using System.Diagnostics;
using FastTests.Security;
using FastTests.Server;
using Raven.Security.Keys;
using Raven.Security.Registry;

namespace SlowTests.Security;

/// <summary>
/// How long a refusal takes does not say why: whether a database exists, or whether the id of a key is known.
/// </summary>
[Trait(Category.Shard, "attacks")]
public sealed class TimingTests(ITestOutputHelper output)
{
    private const int RequestsCount = 1000;
    private const int KeysCount = 20_000;

    /// <summary>The medians of two may differ by so much; the least of several tries is what counts.</summary>
    private const double DifferenceMax = 0.1;

    private const int Tries = 10;

    /// <summary>Routes of a database, of each right that a caller may lack.</summary>
    private static readonly (string Method, string Path)[] Routes =
    [
        ("GET", "/databases/*/docs?id=a"), ("PUT", "/databases/*/docs?id=a"), ("DELETE", "/databases/*/docs?id=a"),
        ("GET", "/databases/*/stats"), ("POST", "/databases/*/queries"), ("POST", "/databases/*/bulk_docs"),
        ("POST", "/databases/*/multi_get"), ("GET", "/databases/*/attachments?id=a&name=b"),
        ("GET", "/databases/*/revisions?id=a"), ("GET", "/databases/*/indexes"),
        ("GET", "/databases/*/admin/record"), ("GET", "/databases/*/changes"), ("GET", "/topology?name=*"),
    ];

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "25")]
    public void Whether_a_database_exists_does_not_show_in_the_time_of_a_refusal()
    {
        using var secured = new SecuredServer();
        foreach ((string method, string path) in Routes)
        {
            InMemoryRequest there = Request("blue");
            InMemoryRequest missing = Request("none");
            AssertAlike(
                $"{method} {path}", RequestsCount, () => Assert.Equal(403, secured.Server.Send(there)),
                () => Assert.Equal(403, secured.Server.Send(missing)));

            InMemoryRequest Request(string database) => secured.Request(
                secured.Caller("R"), method, path.Replace("*", database, StringComparison.Ordinal));
        }
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "42")]
    public void Whether_the_id_of_a_key_is_known_does_not_show_in_the_time_of_a_refusal()
    {
        var fixture = new TrustFixture();
        KeyRegistry keys = fixture.Registry.Keys;
        keys.Create(TrustFixture.Local, TrustFixture.WantedKey(), out RegisteredKey entry);
        string wrong = ApiKey.Make(entry.Id);
        string unknown = ApiKey.Make(ApiKey.MakeId());
        AssertAlike(
            "a key", KeysCount, () => Assert.False(keys.TryCheck(wrong, out _, out _)),
            () => Assert.False(keys.TryCheck(unknown, out _, out _)));
    }

    /// <summary>Does both in turn, so that what else the machine does slows down both.</summary>
    private void AssertAlike(string what, int count, Action one, Action other)
    {
        double least = double.MaxValue;
        for (int i = 0; i < Tries && least > DifferenceMax; i++)
        {
            long[] first = new long[count];
            long[] second = new long[count];
            for (int k = 0; k < count; k++)
            {
                first[k] = TicksOf(one);
                second[k] = TicksOf(other);
            }

            double a = MedianOf(first);
            double b = MedianOf(second);
            least = Math.Min(least, Math.Abs(a - b) / Math.Max(a, b));
        }

        output.WriteLine($"{what}: {least:P1}");
        Assert.InRange(least, 0, DifferenceMax);
    }

    private static long TicksOf(Action action)
    {
        long start = Stopwatch.GetTimestamp();
        action();
        return Stopwatch.GetTimestamp() - start;
    }

    private static double MedianOf(long[] ticks)
    {
        Array.Sort(ticks);
        return ticks[ticks.Length / 2];
    }
}
