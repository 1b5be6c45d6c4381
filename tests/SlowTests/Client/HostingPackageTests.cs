using SlowTests.Support;

namespace SlowTests.Client;

/// <summary>The packages for tests and for applications, and all that they depend on, used from nothing but
/// them.</summary>
[Trait(Category.Shard, "client")]
public sealed class HostingPackageTests : IDisposable
{
#if DEBUG
    private static readonly string[] PackArguments = ["-p:RunAnalyzers=false"];
#else
    private static readonly string[] PackArguments = ["--no-build"];
#endif
    private static readonly string[] Projects =
    [
        "Blittable", "Storage", "Scripting", "Search", "Search.Lucene", "Documents", "Cluster", "Server", "Client",
        "TestDriver", "DependencyInjection",
    ];

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-hosting-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait("Fault", "B5")]
    [Trait(Category.Run, Category.Ci)]
    public async Task A_program_that_references_the_packages_uses_the_test_driver_and_dependency_injection()
    {
        string packages = Path.Combine(_folder, "packages");
        string[] command =
            ["PACKAGES=" + packages, "bash", Path.Combine(NodeProgram.Root, "build.sh"), "pack", .. PackArguments];
        string printed = await PackageTests.RunAsync(NodeProgram.Root, "env", command);
        string[] versions =
        [
            .. Projects.Select(project => VersionOf(packages, project)),
        ];
        Assert.Single(versions.Distinct());
        Assert.All(Projects, project => Assert.Contains($"Raven.{project}.{versions[0]}", printed));
        string program = WriteProgram(packages);
        Assert.Equal("tea Healthy", (await PackageTests.RunAsync(program, "dotnet", "run")).Trim());
        await RequirePageAsync(packages);
    }

    private static string VersionOf(string packages, string project)
    {
        string prefix = $"Raven.{project}.";
        string[] names = [.. Directory.GetFiles(packages, $"{prefix}*.nupkg").Select(file => Path.GetFileName(file)!)];
        // Raven.Search.Lucene begins as Raven.Search does; a version begins with a digit.
        return Assert.Single(names, name => char.IsAsciiDigit(name[prefix.Length]))[prefix.Length..];
    }

    /// <summary>What the page of the client has one do to get it.</summary>
    private async Task RequirePageAsync(string packages)
    {
        string page = await File.ReadAllTextAsync(Path.Combine(NodeProgram.Root, "docs", "client.md"));
        string folder = Directory.CreateDirectory(Path.Combine(_folder, "newcomer")).FullName;
        await File.WriteAllTextAsync(
            Path.Combine(folder, "nuget.config"),
            BlockOf(page, "xml").Replace("/path/to/raven/artifacts/packages", packages, StringComparison.Ordinal));
        await File.WriteAllTextAsync(Path.Combine(folder, "Program.csproj"), """
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <UseAppHost>false</UseAppHost>
                <RestorePackagesPath>../restored</RestorePackagesPath>
              </PropertyGroup>
            </Project>
            """);
        await File.WriteAllTextAsync(Path.Combine(folder, "Program.cs"), """
            using Raven.Client.Documents;
            using Raven.Server;

            using ServerHost server = EmbeddedServer.StartInMemory();
            using var store = new DocumentStore { Urls = [server.Url], Database = "shop" };
            System.Console.WriteLine(store.Initialize().Database);
            """);
        foreach (string line in BlockOf(page, "sh").Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            await PackageTests.RunAsync(folder, "bash", "-c", line);
        }

        Assert.Equal("shop", (await PackageTests.RunAsync(folder, "dotnet", "run")).Trim());
    }

    private static string BlockOf(string page, string language)
    {
        int start = page.IndexOf($"```{language}\n", StringComparison.Ordinal) + language.Length + 4;
        return page[start..page.IndexOf("```", start, StringComparison.Ordinal)];
    }

    /// <summary>
    /// What is ours comes from the packages just made: they go to a folder of this test, so that none of an earlier run
    /// is taken for them.
    /// </summary>
    private string WriteProgram(string packages)
    {
        string folder = Directory.CreateDirectory(Path.Combine(_folder, "program")).FullName;
        File.WriteAllText(Path.Combine(folder, "Program.csproj"), $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
                <UseAppHost>false</UseAppHost>
                <RestoreAdditionalProjectSources>{packages}</RestoreAdditionalProjectSources>
                <RestorePackagesPath>../restored</RestorePackagesPath>
              </PropertyGroup>
              <ItemGroup>
                <FrameworkReference Include="Microsoft.AspNetCore.App" />
                <PackageReference Include="Raven.TestDriver" Version="*" />
                <PackageReference Include="Raven.DependencyInjection" Version="*" />
              </ItemGroup>
            </Project>
            """);
        File.WriteAllText(Path.Combine(folder, "Program.cs"), """
            using Microsoft.Extensions.DependencyInjection;
            using Microsoft.Extensions.Diagnostics.HealthChecks;
            using Raven.Client.Documents;
            using Raven.Client.Documents.Session;
            using Raven.DependencyInjection;
            using Raven.TestDriver;

            var driver = new Driver();
            using IDocumentStore tested = driver.GetDocumentStore();
            using (IDocumentSession session = tested.OpenSession())
            {
                session.Store(new Item { Name = "tea" }, "items/1");
                session.SaveChanges();
            }

            RavenTestDriver.WaitForIndexing(tested);
            var services = new ServiceCollection();
            services.AddLogging();
            services.AddRaven(store =>
            {
                store.Urls = tested.Urls;
                store.Database = tested.Database;
            });
            await using ServiceProvider provider = services.BuildServiceProvider();
            using IServiceScope scope = provider.CreateScope();
            using IAsyncDocumentSession scoped = scope.ServiceProvider.GetRequiredService<IAsyncDocumentSession>();
            Item? item = await scoped.LoadAsync<Item>("items/1");
            HealthReport health = await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync();
            Console.WriteLine($"{item?.Name} {health.Status}");

            public sealed class Driver : RavenTestDriver;

            public sealed class Item
            {
                public string Name { get; set; } = "";
            }
            """);
        return folder;
    }
}
