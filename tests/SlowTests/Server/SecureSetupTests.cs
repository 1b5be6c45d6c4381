using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Text.Json;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using SlowTests.Support;

namespace SlowTests.Server;

/// <summary>
/// What <c>--setup dev-cert</c> prints, word for word: the command that starts the server, and the lines for curl, the
/// official Node client and ours.
/// </summary>
public sealed class SecureSetupTests : IDisposable
{
    private const string Announcement = "Server available on: ";
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-secure-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "server")]
    public void The_printed_lines_start_the_server_and_work_as_they_stand()
    {
        string program = Path.Combine(AppContext.BaseDirectory, "Raven.Server.dll");
        (int code, string printed) = Run(
            $"dotnet '{program}' --setup dev-cert --out '{_folder}/files' '--DataDir={_folder}/data' "
            + $"--ServerUrl=http://127.0.0.1:{FreePort()}");
        Assert.Equal(0, code);
        using Process server = Start(Assert.Single(LinesOf(printed, "Start the server:")));
        try
        {
            Assert.StartsWith(Announcement + "https://", server.StandardOutput.ReadLine(), StringComparison.Ordinal);
            string curl = Assert.Single(LinesOf(printed, "curl:"));
            (code, string answer) = Run(curl);
            Assert.Equal(0, code);
            using (JsonDocument json = JsonDocument.Parse(answer))
            {
                Assert.Equal(0, json.RootElement.GetProperty("Databases").GetArrayLength());
            }

            string create = curl.Replace("curl ", "curl --silent --fail -X PUT -d '{\"DatabaseName\":\"shop\"}' ",
                StringComparison.Ordinal).Replace("/databases", "/admin/databases?name=shop", StringComparison.Ordinal);
            Assert.Equal(0, Run(create).Code);
            Assert.Contains("shop", NodeSays(LinesOf(printed, "Node ")), StringComparison.Ordinal);
            Assert.Equal("shop", ClientSays(LinesOf(printed, ".NET ")).Trim());
        }
        finally
        {
            server.Kill(entireProcessTree: true);
            server.WaitForExit();
        }
    }

    /// <summary>The indented lines below a heading, without the indentation.</summary>
    private static string[] LinesOf(string printed, string heading) =>
        [.. printed.Split('\n').SkipWhile(line => !line.StartsWith(heading, StringComparison.Ordinal)).Skip(1)
            .TakeWhile(line => line.Length == 0 || line.StartsWith("    ", StringComparison.Ordinal))
            .Where(line => line.Length > 0).Select(line => line[4..])];

    private string NodeSays(string[] lines)
    {
        Assert.Equal(5, lines.Length);
        string client = NodeProgram.FolderOf("NodeClient");
        List<string> output = [];

        // Installs the client, and finds nothing to run.
        NodeProgram.Run(client, ["--version"], Limit, _ => { });
        string script = Path.Combine(_folder, "first.mjs");
        File.WriteAllLines(script, lines);
        Directory.CreateSymbolicLink(
            Path.Combine(_folder, "node_modules"), Path.Combine(client, "node_modules"));
        (int code, string errors) = NodeProgram.Run(client, [script], Limit, output.Add);
        Assert.True(code == 0, errors);
        return string.Join('\n', output);
    }

    /// <summary>Compiles the lines as the program of a new project would be, and runs it here.</summary>
    private static string ClientSays(string[] lines)
    {
        Assert.Equal(5, lines.Length);
        const string implied = "global using System; global using System.Linq; global using System.Threading.Tasks;";
        string trusted = (string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!;
        CSharpCompilation program = CSharpCompilation.Create(
            "First",
            [CSharpSyntaxTree.ParseText(implied), CSharpSyntaxTree.ParseText(string.Join('\n', lines))],
            trusted.Split(Path.PathSeparator).Select(path => MetadataReference.CreateFromFile(path)),
            new CSharpCompilationOptions(OutputKind.ConsoleApplication));
        using var assembly = new MemoryStream();
        Assert.Empty(program.Emit(assembly).Diagnostics.Where(each => each.Severity == DiagnosticSeverity.Error));
        MethodInfo main = Assembly.Load(assembly.ToArray()).EntryPoint!;
        TextWriter before = Console.Out;
        using var output = new StringWriter();
        Console.SetOut(output);
        try
        {
            main.Invoke(null, [Array.Empty<string>()]);
        }
        finally
        {
            Console.SetOut(before);
        }

        return output.ToString();
    }

    private static (int Code, string Output) Run(string command)
    {
        using Process bash = Start(command);
        string output = bash.StandardOutput.ReadToEnd();
        Assert.True(bash.WaitForExit(Limit), command);
        return (bash.ExitCode, output);
    }

    private static Process Start(string command) => Process.Start(new ProcessStartInfo("bash", ["-c", command])
    {
        RedirectStandardOutput = true,
    })!;

    private static int FreePort()
    {
        using var socket = new TcpListener(IPAddress.Loopback, 0);
        socket.Start();
        return ((IPEndPoint)socket.LocalEndpoint).Port;
    }
}
