namespace Raven.Client.Exceptions.Documents.Patching;

/// <summary>A script did not compile, threw, or ran over its limits.</summary>
public sealed class JavaScriptException(string message) : RavenException(message);
