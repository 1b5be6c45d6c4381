namespace Raven.Scripting.Hosting;

/// <summary>
/// A host refuses an operation of a script. The script gets an error with this message and may catch it.
/// </summary>
public sealed class ScriptHostException : Exception
{
    /// <summary>Refuses with a message for the script's author.</summary>
    public ScriptHostException(string message)
        : base(message)
    {
    }
}
