# syntax=docker/dockerfile:1
# The server in an image without a compiler and without root. Build: docker build -t raven .
# Run, reachable from this machine alone (inside the container it has to listen on all addresses):
#   docker run -p 127.0.0.1:8080:8080 -v raven-data:/data -e RAVEN_Security_UnsecuredAccessAllowed=PublicNetwork raven
# Without that variable the server refuses to listen beyond loopback while it has no certificate. docs/operations.md says how
# it gets one.
ARG SDK_IMAGE=mcr.microsoft.com/dotnet/sdk:10.0
ARG RUNTIME_IMAGE=mcr.microsoft.com/dotnet/aspnet:10.0

FROM ${SDK_IMAGE} AS build
WORKDIR /source
# What restore needs comes first: a change of code does not restore again.
COPY global.json Directory.Build.props Directory.Packages.props BannedSymbols.txt THIRD-PARTY-NOTICES .editorconfig ./
COPY src/Blittable/Raven.Blittable.csproj src/Blittable/
COPY src/Storage/Raven.Storage.csproj src/Storage/
COPY src/Scripting/Raven.Scripting.csproj src/Scripting/
COPY src/Search/Raven.Search.csproj src/Search/
COPY src/Search.Lucene/Raven.Search.Lucene.csproj src/Search.Lucene/
COPY src/Documents/Raven.Documents.csproj src/Documents/
COPY src/Security/Raven.Security.csproj src/Security/
COPY src/Cluster/Raven.Cluster.csproj src/Cluster/
COPY src/Server/Raven.Server.csproj src/Server/Process.props src/Server/
COPY src/CommandLine/Raven.CommandLine.csproj src/CommandLine/
# The profile says that the compiler to machine code is restored, too.
COPY src/CommandLine/Properties/PublishProfiles/ src/CommandLine/Properties/PublishProfiles/
RUN dotnet restore src/CommandLine -p:PublishProfile=folder
COPY src/ src/
RUN dotnet publish src/CommandLine -c Release --no-restore -p:PublishProfile=folder -o /app

FROM ${RUNTIME_IMAGE} AS final
# The user `app` (1654) is part of the runtime images.
RUN mkdir /data /keys && chown app:app /data /keys && chmod 0700 /keys
COPY --from=build /app /app
WORKDIR /app
USER app
# What the server makes for itself of keys lies beside the data: a copy of the data is no copy of them.
VOLUME ["/data", "/keys"]
EXPOSE 8080
ENV RAVEN_ServerUrl=http://0.0.0.0:8080 RAVEN_DataDir=/data RAVEN_Security_KeysFolder=/keys DOTNET_GCConserveMemory=7
# Over the local socket: neither a shell nor a tool is needed for it, and it does not matter whether the server speaks https.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["dotnet", "raven.dll", "health"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["dotnet", "raven.dll"]
