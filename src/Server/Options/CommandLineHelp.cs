using System.Globalization;
using System.Text;

namespace Raven.Server.Options;

/// <summary>What <c>--help</c> prints.</summary>
internal static class CommandLineHelp
{
    internal static string Text()
    {
        var defaults = new ServerOptions();
        var text = new StringBuilder("""
            usage: Raven.Server [--Key=Value ...]

              --help          this text
              --version       which version this is
              --print-config  the options as they would be used
              --setup dev-cert [--host NAME,...] [--out FOLDER]
                              makes certificates for this server and its administrator, and settings that use them
              --setup add-admin FILE
                              registers the certificate of FILE as an administrator; the server must not run

            Each key can also stand in appsettings.json or settings.json of the current folder ("Setup.Mode" or
            nested), or in the environment (RAVEN_Setup_Mode). The command line overrides the environment, and that
            the files.


            """);
        foreach (OptionKey key in OptionTable.Keys)
        {
            text.Append(CultureInfo.InvariantCulture, $"  {key.Name} = {key.Show(defaults)}\n")
                .Append(CultureInfo.InvariantCulture, $"      {key.Summary} ({key.Values})\n");
        }

        return text.ToString();
    }
}
