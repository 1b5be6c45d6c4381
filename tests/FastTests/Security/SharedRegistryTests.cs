using Raven.Security.Registry;

namespace FastTests.Security;

/// <summary>A registry that several servers share: a change is elsewhere before it counts, and comes from elsewhere.
/// </summary>
public sealed class SharedRegistryTests
{
    [Fact]
    public void A_change_that_the_others_do_not_get_is_refused_and_changes_nothing()
    {
        var trust = new TrustFixture();
        trust.Registry.Shared = _ => "the store is away";
        string before = trust.Records;
        RegistryException refused = Assert.Throws<RegistryException>(() => Create(trust));
        Assert.Equal(RegistryRefusal.Unavailable, refused.Reason);
        Assert.Contains("the store is away", refused.Message, StringComparison.Ordinal);
        Assert.Equal(before, trust.Records);
        Assert.Empty(trust.Registry.Current.Keys);
    }

    [Fact]
    public void What_one_server_has_changed_counts_on_another_one()
    {
        var one = new TrustFixture();
        var other = new TrustFixture();
        List<TrustSnapshot> seen = [];
        other.Registry.Changed += seen.Add;
        one.Registry.Shared = records =>
        {
            other.Registry.Take(records);
            return null;
        };
        Create(one);
        RegisteredKey key = Assert.Single(other.Registry.Current.Keys);
        Assert.Equal("reader", key.Name);
        Assert.Equal(one.Records, other.Records);
        Assert.True(seen[^1].Version > 1);

        other.Registry.Take([new TrustRecord(Assert.Single(other.ReadAll()).Key, null)]);
        Assert.Empty(other.Registry.Current.Keys);
        Assert.Equal(2, seen.Count);
    }

    private static void Create(TrustFixture trust) =>
        trust.Registry.Keys.Create(TrustFixture.Admin, TrustFixture.WantedKey(), out _);
}
