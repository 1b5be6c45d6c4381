using System.Collections;
using System.Text;
using Raven.Server.Options;

namespace FastTests.Server;

public sealed class OptionTests
{
    [Fact]
    public void The_command_line_overrides_the_environment_and_the_environment_the_settings_files()
    {
        ServerOptions options = OptionReader.ApplyFile(
            new ServerOptions(), "settings.json",
            Encoding.UTF8.GetBytes(
                """{"ServerUrl":"http://127.0.0.1:1","Setup":{"Mode":"None"},"Limits.BatchCommandsMax":7}"""));
        Assert.Equal(1, options.ServerUrl.Port);
        options = OptionReader.ApplyEnvironment(
            options,
            new Hashtable { ["RAVEN_ServerUrl"] = "http://127.0.0.1:2", ["RAVEN_Http_KeepAliveSecondsMax"] = "9" });
        Assert.Equal(2, options.ServerUrl.Port);
        options = OptionReader.ApplyArguments(options, ["--ServerUrl=http://127.0.0.1:3", "--RunInMemory"]);
        Assert.Equal(3, options.ServerUrl.Port);
        Assert.True(options.RunInMemory);
        Assert.Equal(7, options.BatchCommandsMax);
        Assert.Equal(TimeSpan.FromSeconds(9), options.KeepAliveMax);
    }

    [Fact]
    [Trait("Fault", "B17")]
    public void An_environment_variable_that_is_no_setting_makes_a_warning_with_a_similar_name()
    {
        ServerOptions options = OptionReader.ApplyEnvironment(
            new ServerOptions(),
            new Hashtable
            {
                ["RAVEN_SERVICE_HOST"] = "10.0.0.1",
                ["RAVEN_ServrUrl"] = "http://127.0.0.1:1",
                ["RAVEN_DataDir"] = "/tmp/x",
            });
        Assert.Equal("/tmp/x", options.DataDirectory);
        Assert.Equal(2, options.Warnings.Count);
        Assert.Contains(options.Warnings, warning => warning.Contains(
            "RAVEN_SERVICE_HOST is no setting of this server and is ignored", StringComparison.Ordinal));
        Assert.Contains(options.Warnings, warning => warning.Contains(
            "RAVEN_ServrUrl is no setting of this server and is ignored. Did you mean RAVEN_ServerUrl (ServerUrl)?",
            StringComparison.Ordinal));
        ServerOptionException strict = Assert.Throws<ServerOptionException>(
            () => OptionReader.ApplyArguments(new ServerOptions(), ["--SERVICE.HOST=x"]));
        Assert.Contains("there is no such key", strict.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("https://127.0.0.1:443", "needs a certificate, and none is set")]
    [InlineData("http://0.0.0.0:8080", "the server has no certificate")]
    [Trait("Fault", "B3")]
    public void A_server_URL_that_needs_TLS_is_refused_with_a_reference_to_a_proxy_configuration(
        string url, string says)
    {
        ServerOptionException refused = Assert.Throws<ServerOptionException>(
            () => new ServerOptions { ServerUrl = new Uri(url) }.Check());
        Assert.Contains(says, refused.Message, StringComparison.Ordinal);
        Assert.Contains("docs/operations.md has a configuration for nginx", refused.Message, StringComparison.Ordinal);
        string page = File.ReadAllText(Path.Combine(Architecture.SourceTree.Root, "docs", "operations.md"));
        Assert.Contains("proxy_pass http://127.0.0.1:8080", page, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("https://app.example:8443;http://localhost:3000", true)]
    [InlineData("", true)]
    [InlineData("*", false)]
    [InlineData("https://app.example/", false)]
    [InlineData("app.example", false)]
    [Trait("Fault", "C3")]
    public void A_trusted_origin_is_valid_only_in_the_form_that_browsers_send(string text, bool isTaken)
    {
        OptionKey key = OptionTable.Find("Security.Csrf.TrustedOrigins")!;
        if (isTaken)
        {
            Assert.Equal(text, key.Show(key.Apply(new ServerOptions(), text)));
        }
        else
        {
            Assert.Throws<FormatException>(() => key.Apply(new ServerOptions(), text));
        }
    }

    [Theory]
    [InlineData("db.example.org;raven;10.0.0.5", true)]
    [InlineData("", true)]
    [InlineData("*", false)]
    [InlineData("db.example.org:8080", false)]
    [InlineData("http://db.example.org", false)]
    public void An_allowed_host_is_a_name_without_a_port(string text, bool isTaken)
    {
        OptionKey key = OptionTable.Find("Security.AllowedHosts")!;
        if (isTaken)
        {
            Assert.Equal(text, key.Show(key.Apply(new ServerOptions(), text)));
        }
        else
        {
            Assert.Throws<FormatException>(() => key.Apply(new ServerOptions(), text));
        }
    }

    [Fact]
    public void Every_security_option_is_in_the_page_about_it()
    {
        string page = File.ReadAllText(Path.Combine(Architecture.SourceTree.Root, "docs", "security.md"));
        foreach (OptionKey key in OptionTable.Keys.Where(
            key => key.Name.StartsWith("Security.", StringComparison.Ordinal)))
        {
            Assert.Contains($"| `{key.Name}` | ", page, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Every_limit_is_documented_with_its_default()
    {
        string page = File.ReadAllText(Path.Combine(Architecture.SourceTree.Root, "docs", "http", "README.md"));
        var defaults = new ServerOptions();
        foreach (OptionKey key in OptionTable.Keys.Where(
            key => key.Name.StartsWith("Limits.", StringComparison.Ordinal)))
        {
            Assert.Contains($"| `{key.Name}` | {key.Show(defaults)} | ", page, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Every_option_key_reads_back_what_it_prints()
    {
        var options = new ServerOptions { UnsecuredAccess = UnsecuredAccess.PrivateNetwork, RunInMemory = true };
        foreach (OptionKey key in OptionTable.Keys)
        {
            options = key.Apply(options, key.Show(options));
        }

        Assert.Equal(OptionTable.Print(new ServerOptions()).Length > 100, OptionTable.Print(options).Length > 100);
        Assert.Equal(UnsecuredAccess.PrivateNetwork, options.UnsecuredAccess);
        Assert.True(options.RunInMemory);
    }

    [Theory]
    [InlineData("--SeverUrl=x", "SeverUrl", "Did you mean ServerUrl?")]
    [InlineData("--Mode=None", "Mode", "Did you mean Setup.Mode?")]
    [InlineData("--zzzzzzzzz=1", "zzzzzzzzz", "--help")]
    [InlineData("--ServerUrl=ftp://x", "ServerUrl", "command line")]
    [InlineData("--ServerUrl=http://me:secret@127.0.0.1:0", "ServerUrl", "password")]
    [InlineData("--Limits.BatchCommandsMax=-1", "Limits.BatchCommandsMax", "whole number")]
    [InlineData("--RunInMemory=yes", "RunInMemory", "neither true nor false")]
    [InlineData("--Logs.Level=Loud", "Logs.Level", "Information")]
    [InlineData("--Logs.Level=3", "Logs.Level", "Information")]
    [InlineData("--Setup.Mode=Initial", "Setup.Mode", "None")]
    [InlineData("ServerUrl=x", "ServerUrl=x", "--Key=Value")]
    [InlineData("--", "--", "--Key=Value")]
    public void A_wrong_option_is_refused_with_its_name_and_the_reason(string argument, string key, string says)
    {
        var e = Assert.Throws<ServerOptionException>(
            () => OptionReader.ApplyArguments(new ServerOptions(), [argument]));
        Assert.Equal(key, e.Key);
        Assert.Contains(says, e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("http://127.0.0.1:0", UnsecuredAccess.Local, true)]
    [InlineData("http://localhost:0", UnsecuredAccess.Local, true)]
    [InlineData("http://[::1]:0", UnsecuredAccess.Local, true)]
    [InlineData("http://0.0.0.0:0", UnsecuredAccess.Local, false)]
    [InlineData("http://10.1.2.3:0", UnsecuredAccess.Local, false)]
    [InlineData("http://10.1.2.3:0", UnsecuredAccess.PrivateNetwork, true)]
    [InlineData("http://8.8.8.8:0", UnsecuredAccess.PrivateNetwork, true)]
    [InlineData("http://0.0.0.0:0", UnsecuredAccess.PrivateNetwork, true)]
    [InlineData("http://127.0.0.1:0", UnsecuredAccess.None, false)]
    [InlineData("http://0.0.0.0:0", UnsecuredAccess.PublicNetwork, true)]
    [InlineData("https://127.0.0.1:0", UnsecuredAccess.PublicNetwork, false)]
    public void Without_a_certificate_only_loopback_is_bound_unless_an_option_allows_more(
        string url, UnsecuredAccess access, bool starts)
    {
        var options = new ServerOptions { ServerUrl = new Uri(url), UnsecuredAccess = access };
        ServerOptionException? refused = null;
        try
        {
            options.Check();
        }
        catch (ServerOptionException e)
        {
            refused = e;
        }

        Assert.Equal(starts, refused == null);
        Assert.Equal(starts ? null : "ServerUrl", refused?.Key);
    }

    [Theory]
    [InlineData(UnsecuredAccess.PrivateNetwork)]
    [InlineData(UnsecuredAccess.PublicNetwork)]
    public void A_host_without_an_address_is_refused_with_the_option_key(UnsecuredAccess access)
    {
        // No label of a name may be so long, so that no resolver is asked for it.
        var url = new Uri($"http://{new string('a', 64)}.invalid:0");
        var options = new ServerOptions { ServerUrl = url, UnsecuredAccess = access };
        var refused = Assert.Throws<ServerOptionException>(options.Check);
        Assert.Equal("ServerUrl", refused.Key);
        Assert.Contains("cannot be resolved", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("\"\\ud800\"", "DataDir in settings.json")]
    [InlineData("\"\u00ff\"", "DataDir in settings.json")]
    [InlineData("\"d\",\"\\udc00\":1", "settings.json")]
    [InlineData("\"d\",\"\u00c0\":1", "settings.json")]
    public void A_text_of_a_settings_file_that_is_not_UTF8_is_refused_with_its_key(string rest, string key)
    {
        byte[] json = Encoding.Latin1.GetBytes($"{{\"DataDir\":{rest}}}");
        var refused = Assert.Throws<ServerOptionException>(
            () => OptionReader.ApplyFile(new ServerOptions(), "settings.json", json));
        Assert.Equal(key, refused.Key);
        Assert.Contains("UTF-8", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_settings_file_that_cannot_be_read_is_refused_with_its_name()
    {
        string folder = Directory.CreateTempSubdirectory("raven-options-").FullName;
        string file = Path.Combine(folder, "settings.json");
        try
        {
            File.WriteAllBytes(file, [0xEF, 0xBB, 0xBF, .. "{\"RunInMemory\":true}"u8]);
            Assert.True(OptionReader.Read([], new Hashtable(), folder).RunInMemory);
            File.WriteAllText(file, "");
            Assert.Contains("is empty", Refused(), StringComparison.Ordinal);
            File.Delete(file);
            Directory.CreateDirectory(file);
            Assert.Contains("is a folder", Refused(), StringComparison.Ordinal);
            Directory.Delete(file);
            File.CreateSymbolicLink(file, Path.Combine(folder, "nothing"));
            Assert.Contains("cannot be read", Refused(), StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }

        string Refused()
        {
            var refused = Assert.Throws<ServerOptionException>(
                () => OptionReader.Read([], new Hashtable(), folder));
            Assert.Equal("settings.json", refused.Key);
            return refused.Message;
        }
    }

    [Fact]
    public void Help_names_every_key()
    {
        string help = CommandLineHelp.Text();
        Assert.All(OptionTable.Keys, key => Assert.Contains($"  {key.Name} = ", help, StringComparison.Ordinal));
    }
}
