namespace Raven.Server.Options;

/// <summary>One key of the configuration: its name, its meaning, and how its text becomes an option and back.</summary>
/// <param name="Name">The key in files and on the command line, such as <c>Setup.Mode</c>.</param>
/// <param name="Values">The valid values, in a few words.</param>
/// <param name="Summary">What it does, a sentence.</param>
/// <param name="Apply">The options with this text taken; throws <see cref="FormatException"/> if the text is
/// not valid.</param>
/// <param name="Show">The text of the option's value.</param>
public sealed record OptionKey(
    string Name,
    string Values,
    string Summary,
    Func<ServerOptions, string, ServerOptions> Apply,
    Func<ServerOptions, string> Show)
{
    /// <summary>The name of the environment variable, such as <c>RAVEN_Setup_Mode</c>.</summary>
    public string EnvironmentName => OptionReader.EnvironmentPrefix + Name.Replace('.', '_');
}
