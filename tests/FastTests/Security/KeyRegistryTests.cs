using System.Net;
using FastTests.Support;
using Raven.Security.Keys;
using Raven.Security.Registry;
using Raven.Security.Rights;

namespace FastTests.Security;

/// <summary>API keys: shown once, checked by their hash, never more than who made them.</summary>
public sealed class KeyRegistryTests
{
    private readonly TrustFixture _fixture = new();

    private KeyRegistry Keys => _fixture.Registry.Keys;

    [Fact]
    [Trait("Invariant", "KEY-1")]
    [Trait("Security", "60")]
    public void A_key_counts_after_a_restart_and_its_secret_is_kept_nowhere()
    {
        string key = Keys.Create(TrustFixture.Operator, TrustFixture.WantedKey(), out RegisteredKey entry);
        _fixture.Reopen();
        Assert.True(Keys.TryCheck(key, out RegisteredKey? found, out _));
        Assert.Equal(entry.Id, found!.Id);
        Assert.Equal(DatabaseRight.Read, found.Identity.RightTo("red"));
        string stored = _fixture.Records + string.Join('\n', _fixture.Audit);
        Assert.DoesNotContain(
            key.Split('_', 3)[2], stored + System.Text.Encoding.UTF8.GetString(
                [.. _fixture.ReadAll().SelectMany(record => record.Json!)]), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "42")]
    public void A_key_that_is_wrong_over_or_disabled_does_not_count()
    {
        string key = Keys.Create(
            TrustFixture.Operator, TrustFixture.WantedKey(TestCertificates.Now.AddHours(1)), out RegisteredKey entry);
        Assert.False(Keys.TryCheck(ApiKey.Make(entry.Id), out _, out bool isLeaked));
        Assert.False(isLeaked);
        Assert.False(Keys.TryCheck(ApiKey.Make(ApiKey.MakeId()), out _, out _));
        Assert.False(Keys.TryCheck("", out _, out _));
        Assert.True(Keys.TryCheck(key, out _, out _));
        _fixture.Clock.Now += TimeSpan.FromHours(2);
        Assert.False(Keys.TryCheck(key, out _, out _));
        _fixture.Clock.Now -= TimeSpan.FromHours(2);
        Keys.Disable(TrustFixture.Local, entry.Id);
        Assert.False(Keys.TryCheck(key, out _, out isLeaked));
        Assert.True(isLeaked);
        _fixture.Reopen();
        Assert.False(Keys.TryCheck(key, out _, out _));
    }

    [Fact]
    public void After_a_rotation_the_old_key_counts_for_its_grace_and_no_longer()
    {
        string old = Keys.Create(TrustFixture.Operator, TrustFixture.WantedKey(), out RegisteredKey entry);
        string next = Keys.Rotate(TrustFixture.Operator, entry.Id, TimeSpan.FromMinutes(10));
        Assert.NotEqual(old, next);
        _fixture.Reopen();
        Assert.True(Keys.TryCheck(old, out _, out _));
        Assert.True(Keys.TryCheck(next, out _, out _));
        _fixture.Clock.Now += TimeSpan.FromMinutes(11);
        Assert.False(Keys.TryCheck(old, out _, out _));
        Assert.True(Keys.TryCheck(next, out _, out _));
        Assert.Throws<RegistryException>(() => Keys.Rotate(TrustFixture.Operator, entry.Id, TimeSpan.FromDays(2)));
    }

    [Fact]
    [Trait("Invariant", "KEY-3")]
    [Trait("Security", "36")]
    public void A_key_manages_no_key_and_is_never_an_administrator()
    {
        Keys.Create(TrustFixture.Operator, TrustFixture.WantedKey(), out RegisteredKey entry);
        Identity key = new()
        {
            Kind = IdentityKind.ApiKey, Name = "k", Key = entry.Id, Clearance = Clearance.Operator,
        };
        string before = _fixture.Records;
        AssertRefused(RegistryRefusal.Forbidden, () => Keys.Create(key, TrustFixture.WantedKey(), out _));
        AssertRefused(RegistryRefusal.Forbidden, () => Keys.Rotate(key, entry.Id, TimeSpan.Zero));
        AssertRefused(RegistryRefusal.Forbidden, () => Keys.Edit(key, entry.Id, TrustFixture.WantedKey()));
        AssertRefused(RegistryRefusal.Forbidden, () => Keys.Delete(key, entry.Id));
        AssertRefused(RegistryRefusal.Forbidden, () => Keys.Create(
            TrustFixture.Make(Clearance.ValidUser), TrustFixture.WantedKey(), out _));
        AssertRefused(RegistryRefusal.BadRequest, () => Keys.Create(
            TrustFixture.Admin, TrustFixture.WantedKey(clearance: Clearance.ClusterAdmin), out _));
        Assert.Equal(before, _fixture.Records);
    }

    [Fact]
    public void An_edit_keeps_the_secret_and_a_delete_ends_it()
    {
        string key = Keys.Create(TrustFixture.Operator, TrustFixture.WantedKey(), out RegisteredKey entry);
        Keys.Edit(TrustFixture.Operator, entry.Id, TrustFixture.WantedKey(clearance: Clearance.Operator));
        Assert.True(Keys.TryCheck(key, out RegisteredKey? found, out _));
        Assert.Equal(Clearance.Operator, found!.Clearance);
        Keys.Delete(TrustFixture.Operator, entry.Id);
        Assert.False(Keys.TryCheck(key, out _, out _));
        Keys.Delete(TrustFixture.Operator, entry.Id);
        Assert.Equal(
            ["key.created", "key.edited", "key.deleted"], _fixture.Audit.Select(line => line.Split(' ')[1]));
    }

    [Theory]
    [InlineData("192.0.2.5", true)]
    [InlineData("::ffff:192.0.2.5", true)]
    [InlineData("192.0.3.5", false)]
    [InlineData("2001:db8::1", true)]
    [InlineData("2001:db9::1", false)]
    public void A_key_is_good_from_the_networks_that_it_names(string address, bool isAllowed)
    {
        Keys.Create(TrustFixture.Operator, TrustFixture.WantedKey(), out RegisteredKey entry);
        Assert.True(entry.IsAllowedFrom(IPAddress.Parse(address)));
        Keys.Create(
            TrustFixture.Operator, TrustFixture.WantedKey(networks: ["192.0.2.0/24", "2001:db8::/32"]), out entry);
        _fixture.Reopen();
        Assert.Equal(
            isAllowed, _fixture.Registry.Current.FindKey(entry.Id)!.IsAllowedFrom(IPAddress.Parse(address)));
    }

    [Fact]
    [Trait("Security", "42")]
    [Trait("Invariant", "KEY-2")]
    public void To_check_a_key_allocates_nothing_whether_its_id_is_known_or_not()
    {
        string key = Keys.Create(TrustFixture.Operator, TrustFixture.WantedKey(), out RegisteredKey entry);
        string unknown = ApiKey.Make(ApiKey.MakeId());
        string wrong = ApiKey.Make(entry.Id);
        foreach ((string text, bool counts) in new[] { (key, true), (unknown, false), (wrong, false) })
        {
            Assert.Equal(0, Allocated.Least(() => Keys.TryCheck(text, out _, out _)));
            bool doesCount = Keys.TryCheck(text, out RegisteredKey? found, out bool isLeaked);
            Assert.Equal((counts, counts, counts), (doesCount, found != null, isLeaked));
        }
    }

    private static void AssertRefused(RegistryRefusal reason, Action action) =>
        Assert.Equal(reason, Assert.Throws<RegistryException>(action).Reason);
}
