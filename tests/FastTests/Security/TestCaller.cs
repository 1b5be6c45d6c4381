using System.Security.Cryptography.X509Certificates;

namespace FastTests.Security;

/// <summary>A caller of a secured server.</summary>
/// <param name="Certificate">Its certificate; null if it has none.</param>
/// <param name="Header">Its <c>Authorization</c>; null if it sends none.</param>
internal sealed record TestCaller(X509Certificate2? Certificate = null, string? Header = null);
