namespace Raven.Security.Rights;

/// <summary>How a caller has shown who it is.</summary>
public enum IdentityKind : byte
{
    /// <summary>Not at all, as the server asks no caller: it has no certificate.</summary>
    Unsecured = 0,

    /// <summary>By a client certificate.</summary>
    Certificate = 1,

    /// <summary>By an API key.</summary>
    ApiKey = 2,

    /// <summary>By a token of the configured issuer.</summary>
    Jwt = 3,

    /// <summary>By being the server's own user, or root, on this machine.</summary>
    Local = 4,
}
