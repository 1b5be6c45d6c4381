namespace Raven.Scripting.Hosting;

/// <summary>
/// A host refuses what a script asks for. The script sees an error with this message and may catch it.
/// </summary>
public sealed class ScriptHostException : Exception
{
    /// <summary>Refuses with a message for the script's author.</summary>
    public ScriptHostException(string message)
        : base(message)
    {
    }
}
