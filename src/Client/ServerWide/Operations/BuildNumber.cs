namespace Raven.Client.ServerWide.Operations;

/// <summary>The version of a server.</summary>
/// <param name="ProductVersion">The version of the product.</param>
/// <param name="BuildVersion">The number of its build.</param>
/// <param name="FullVersion">Both, and the rest of what it reports.</param>
public sealed record BuildNumber(string ProductVersion, int BuildVersion, string? FullVersion);
