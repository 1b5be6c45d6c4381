using System.Security.Cryptography;
using Raven.Security.Certificates;
using Raven.Security.Registry;
using Raven.Security.Rights;

namespace FastTests.Security;

/// <summary>Who may change which certificate's rights, and what is kept of it.</summary>
public sealed class CertificateRegistryTests
{
    private static readonly Permissions OnRed = Permissions.Of([KeyValuePair.Create("red", DatabaseRight.ReadWrite)]);

    private readonly TrustFixture _fixture = new();

    private TrustSnapshot Current => _fixture.Registry.Current;

    private CertificateRegistry Certificates => _fixture.Registry.Certificates;

    [Fact]
    public void What_is_registered_is_there_after_a_restart_with_its_rights()
    {
        ClientCertificate certificate = TestCertificates.Client("app");
        Certificates.Put(TrustFixture.Admin, "App", [certificate], Clearance.ValidUser, OnRed);
        _fixture.Reopen();
        RegisteredCertificate entry = Assert.Single(Current.Certificates);
        Assert.Same(entry, Current.FindCertificate(certificate.Digest));
        Assert.Same(entry, Current.FindThumbprint(certificate.Thumbprint.ToLowerInvariant()));
        Assert.Equal("App", entry.Name);
        Assert.Equal("ClusterAdmin", entry.CreatedBy);
        Assert.Equal(TestCertificates.Now, entry.CreatedAt);
        Assert.Equal(DatabaseRight.ReadWrite, entry.Identity.RightTo("RED"));
        Assert.Equal(certificate.NotAfter, entry.Identity.NotAfter);
        Assert.Null(Current.FindCertificate(new string('0', 64)));
        Assert.Equal(
            "ClusterAdmin: certificate.created App:  -> ValidUser (red=ReadWrite)", Assert.Single(_fixture.Audit));
    }

    [Theory]
    [Trait("Security", "35")]
    [Trait("Invariant", "CLIMB-1")]
    [InlineData(Clearance.ClusterAdmin)]
    [InlineData(Clearance.ClusterNode)]
    public void An_operator_neither_makes_nor_changes_nor_removes_what_is_more_than_he_is(Clearance clearance)
    {
        ClientCertificate certificate = TestCertificates.Client("c");
        Certificates.Put(
            TrustFixture.Admin, "Admin", [TestCertificates.Client("a")], Clearance.ClusterAdmin, Permissions.None);
        Certificates.Put(TrustFixture.Admin, "C", [certificate], clearance, Permissions.None);
        string before = _fixture.Records;
        Identity by = TrustFixture.Operator;
        AssertForbidden(() => Certificates.Put(by, "New", [TestCertificates.Client("n")], clearance, Permissions.None));
        AssertForbidden(() => Certificates.Put(by, "C", [certificate], Clearance.ValidUser, Permissions.None));
        AssertForbidden(() => Certificates.Edit(by, certificate.Thumbprint, "C", Clearance.Operator, Permissions.None));
        AssertForbidden(() => Certificates.Delete(by, certificate.Thumbprint));
        Assert.Equal(before, _fixture.Records);
    }

    [Fact]
    [Trait("Security", "35")]
    [Trait("Invariant", "CLIMB-2")]
    public void A_certificate_is_not_given_more_rights_by_itself()
    {
        ClientCertificate certificate = TestCertificates.Client("o");
        Certificates.Put(TrustFixture.Admin, "O", [certificate], Clearance.Operator, OnRed);
        Identity own = Current.FindCertificate(certificate.Digest)!.Identity;
        string before = _fixture.Records;
        AssertForbidden(() => Certificates.Edit(own, own.Key, "O", Clearance.ClusterAdmin, OnRed));
        AssertForbidden(() => Certificates.Edit(
            own, own.Key, "O", Clearance.Operator, Permissions.Of([KeyValuePair.Create("blue", DatabaseRight.Read)])));
        Assert.Equal(before, _fixture.Records);
        Certificates.Edit(own, own.Key, "Less", Clearance.ValidUser, Permissions.None);
        Assert.Equal(Clearance.ValidUser, Current.FindCertificate(certificate.Digest)!.Clearance);
    }

    [Fact]
    [Trait("Security", "37")]
    [Trait("Invariant", "CLIMB-3")]
    [Trait("Invariant", "TRUST-5")]
    public async Task The_last_administrator_stays_also_if_two_remove_each_other_at_once()
    {
        for (int round = 0; round < 50; round++)
        {
            var fixture = new TrustFixture();
            ClientCertificate[] admins = [TestCertificates.Client("a"), TestCertificates.Client("b")];
            fixture.Registry.Certificates.Put(
                TrustFixture.Local, "Admin", admins, Clearance.ClusterAdmin, Permissions.None);
            Task<bool>[] both = [.. admins.Select(admin => Task.Run(() =>
                TryDelete(fixture.Registry, TrustFixture.Admin, admin.Thumbprint)))];
            bool[] done = await Task.WhenAll(both);
            Assert.Equal(1, done.Count(isDone => isDone));
            Assert.Single(fixture.Registry.Current.Certificates);
        }

        ClientCertificate last = TestCertificates.Client("last");
        Certificates.Put(TrustFixture.Local, "Last", [last], Clearance.ClusterAdmin, Permissions.None);
        Assert.Equal(RegistryRefusal.BadRequest, Assert.Throws<RegistryException>(() => Certificates.Edit(
            TrustFixture.Admin, last.Thumbprint, "Last", Clearance.Operator, Permissions.None)).Reason);
        Certificates.Delete(TrustFixture.Local, last.Thumbprint);
        Assert.Empty(Current.Certificates);
    }

    [Fact]
    [Trait("Security", "36")]
    public void A_key_manages_no_certificate()
    {
        var key = new Identity
        {
            Kind = IdentityKind.ApiKey, Name = "k", Key = "k", Clearance = Clearance.Operator,
        };
        AssertForbidden(() => Certificates.Put(
            key, "New", [TestCertificates.Client("n")], Clearance.ValidUser, Permissions.None));
        Assert.Empty(Current.Certificates);
    }

    [Fact]
    [Trait("Security", "40")]
    [Trait("Invariant", "TRUST-3")]
    [Trait("Invariant", "CLIMB-4")]
    public void A_renewal_has_the_same_key_and_issuer_and_the_rights_of_what_it_renews()
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        ClientCertificate first = TestCertificates.Client("app", key);
        Certificates.Put(TrustFixture.Admin, "App", [first], Clearance.ValidUser, OnRed);

        Assert.Null(Certificates.TryRenew(TestCertificates.Client("app"), alsoAdministrators: true));
        Assert.Null(Certificates.TryRenew(TestCertificates.Client("other", key), alsoAdministrators: true));
        ClientCertificate sameThumbprint = TestCertificates.Client("evil") with { Thumbprint = first.Thumbprint };
        Assert.Null(Certificates.TryRenew(sameThumbprint, alsoAdministrators: true));
        Assert.Null(Current.FindCertificate(sameThumbprint.Digest));

        ClientCertificate second = TestCertificates.Client("app", key, TestCertificates.Now.AddDays(90));
        RegisteredCertificate renewal = Certificates.TryRenew(second, alsoAdministrators: false)!;
        Assert.Equal(DatabaseRight.ReadWrite, renewal.Identity.RightTo("red"));
        Assert.Equal(first.Digest, renewal.RenewalOf);
        Assert.Contains("certificate.renewed App", _fixture.Audit[^1], StringComparison.Ordinal);
        Assert.Same(renewal, Certificates.TryRenew(second, alsoAdministrators: false));

        Certificates.Edit(TrustFixture.Admin, first.Thumbprint, "App", Clearance.ValidUser, Permissions.None);
        Assert.Equal(DatabaseRight.None, Current.FindCertificate(second.Digest)!.Identity.RightTo("red"));
        _fixture.Reopen();
        Certificates.Delete(TrustFixture.Admin, first.Thumbprint);
        Assert.Empty(Current.Certificates);
    }

    [Fact]
    [Trait("Security", "40")]
    public void An_administrator_is_renewed_only_if_the_server_is_set_so()
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        Certificates.Put(
            TrustFixture.Local, "Admin", [TestCertificates.Client("a", key)], Clearance.ClusterAdmin, Permissions.None);
        ClientCertificate renewed = TestCertificates.Client("a", key, TestCertificates.Now.AddDays(90));
        Assert.Null(Certificates.TryRenew(renewed, alsoAdministrators: false));
        Assert.NotNull(Certificates.TryRenew(renewed, alsoAdministrators: true));
    }

    [Fact]
    public void Certificates_that_have_ended_are_removed_together()
    {
        ClientCertificate old = TestCertificates.Client("old", to: TestCertificates.Now.AddHours(1));
        Certificates.Put(TrustFixture.Admin, "Old", [old], Clearance.ValidUser, OnRed);
        Certificates.Put(TrustFixture.Admin, "New", [TestCertificates.Client("new")], Clearance.ValidUser, OnRed);
        _fixture.Clock.Now += TimeSpan.FromHours(2);
        Certificates.Purge(TrustFixture.Operator);
        Assert.Equal("New", Assert.Single(Current.Certificates).Name);
        long version = Current.Version;
        Certificates.Purge(TrustFixture.Operator);
        Assert.Equal(version, Current.Version);
    }

    [Theory]
    [Trait("Invariant", "TRUST-4")]
    [Trait("Security", "61")]
    [InlineData(true)]
    [InlineData(false)]
    public void A_change_that_cannot_be_kept_or_logged_does_not_happen(bool inTheLog)
    {
        _fixture.AuditFails = inTheLog;
        _fixture.StoreFails = !inTheLog;
        RegistryException e = Assert.Throws<RegistryException>(() => Certificates.Put(
            TrustFixture.Admin, "A", [TestCertificates.Client("a")], Clearance.ValidUser, OnRed));
        Assert.Equal(RegistryRefusal.Unavailable, e.Reason);
        Assert.Empty(Current.Certificates);
        Assert.Equal("", _fixture.Records);
        Assert.Equal(inTheLog ? 0 : 2, _fixture.Audit.Count);
    }

    [Theory]
    [Trait("Invariant", "TRUST-6")]
    [InlineData("keys/abc", "{")]
    [InlineData("keys/abc", "{\"Name\":\"x\"}")]
    [InlineData("certificates/00", "{\"Certificate\":\"AAAA\"}")]
    [InlineData("other", "{}")]
    public void A_registry_that_cannot_be_read_whole_does_not_open(string key, string json)
    {
        _fixture.Corrupt(key, System.Text.Encoding.UTF8.GetBytes(json));
        RegistryException e = Assert.Throws<RegistryException>(_fixture.Reopen);
        Assert.Contains($"'{key}'", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "TRUST-1")]
    [Trait("Invariant", "TRUST-2")]
    [Trait("Invariant", "RIGHT-3")]
    public void A_change_makes_a_new_version_and_new_identities_and_leaves_the_old_ones_as_they_were()
    {
        ClientCertificate certificate = TestCertificates.Client("a");
        Certificates.Put(TrustFixture.Admin, "A", [certificate], Clearance.ValidUser, OnRed);
        TrustSnapshot before = Current;
        Identity identity = before.FindCertificate(certificate.Digest)!.Identity;
        TrustSnapshot? heard = null;
        _fixture.Registry.Changed += snapshot => heard = snapshot;
        Certificates.Edit(TrustFixture.Admin, certificate.Thumbprint, "A", Clearance.ValidUser, Permissions.None);
        Assert.Same(Current, heard);
        Assert.True(Current.Version > before.Version);
        Assert.Equal(DatabaseRight.ReadWrite, identity.RightTo("red"));
        Assert.Equal(DatabaseRight.None, Current.FindCertificate(certificate.Digest)!.Identity.RightTo("red"));
    }

    private static bool TryDelete(TrustRegistry registry, Identity by, string thumbprint)
    {
        try
        {
            registry.Certificates.Delete(by, thumbprint);
            return true;
        }
        catch (RegistryException)
        {
            return false;
        }
    }

    private static void AssertForbidden(Action action) =>
        Assert.Equal(RegistryRefusal.Forbidden, Assert.Throws<RegistryException>(action).Reason);
}
