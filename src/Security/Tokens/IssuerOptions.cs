namespace Raven.Security.Tokens;

/// <summary>Whose tokens count, and what they are good for.</summary>
public sealed record IssuerOptions
{
    /// <summary>The issuer, as its tokens and its metadata name it: an https url.</summary>
    public required Uri Issuer { get; init; }

    /// <summary>The audience that a token must be made for.</summary>
    public required string Audience { get; init; }

    /// <summary>The claim that holds the roles: a text, or a list of texts.</summary>
    public string RolesClaim { get; init; } = "roles";

    /// <summary>What each role is good for.</summary>
    public required RoleMap Roles { get; init; }

    /// <summary>How far the issuer's clock may be from ours.</summary>
    public TimeSpan ClockSkew { get; init; } = TimeSpan.FromSeconds(60);
}
