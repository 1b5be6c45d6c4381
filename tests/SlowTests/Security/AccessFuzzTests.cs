using FastTests.Security;

namespace SlowTests.Security;

/// <summary>
/// A million changed headers, certificates and bodies: never a 500, and never a right that is not named. A failure says
/// which case of which seed it is.
/// </summary>
[Trait(Category.Shard, "access-fuzz")]
public sealed class AccessFuzzTests
{
    private const int Headers = 600_000;
    private const int Certificates = 150_000;
    private const int Bodies = 250_000;

    private readonly int _seed = Environment.TickCount & 0xffff;

    [Fact]
    [Trait("Security", "42")]
    public void Changed_headers_give_no_access()
    {
        using var secured = new SecuredServer();
        new AccessFuzz(secured, _seed).SendHeaders(0, Headers);
    }

    [Fact]
    [Trait("Security", "10")]
    public void Changed_certificates_are_refused_or_give_the_right_that_is_named()
    {
        using var secured = new SecuredServer();
        new AccessFuzz(secured, _seed).SendCertificates(0, Certificates);
    }

    [Fact]
    [Trait("Security", "33")]
    public void Changed_bodies_give_no_right_that_they_do_not_name()
    {
        using var secured = new SecuredServer();
        new AccessFuzz(secured, _seed).SendBodies(0, Bodies);
    }
}
