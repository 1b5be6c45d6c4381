namespace FastTests.Security;

/// <summary>A sample of what a slow test does a million times.</summary>
public sealed class AccessFuzzTests(SecuredServer secured) : IClassFixture<SecuredServer>
{
    private const int Seed = 31;

    [Fact]
    [Trait("Security", "42")]
    public void Changed_headers_give_no_access() => new AccessFuzz(secured, Seed).SendHeaders(0, 3000);

    [Fact]
    [Trait("Security", "10")]
    public void Changed_certificates_are_refused_or_give_the_right_that_is_named() =>
        new AccessFuzz(secured, Seed).SendCertificates(0, 200);

    [Fact]
    [Trait("Security", "33")]
    public void Changed_bodies_give_no_right_that_they_do_not_name() =>
        new AccessFuzz(secured, Seed).SendBodies(0, 300);
}
