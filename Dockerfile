# syntax=docker/dockerfile:1
# The server in an image without a compiler and without root. Build: docker build -t raven .
# Run, reachable from this machine alone (inside the container it has to listen on all addresses):
#   docker run -p 127.0.0.1:8080:8080 -v raven-data:/data -e RAVEN_Security_UnsecuredAccessAllowed=PublicNetwork raven
# Without that variable the server refuses to listen beyond loopback while it has no certificate. See docs/operations.md.
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
COPY src/Server/Raven.Server.csproj src/Server/
# The profile says that the compiler to machine code is restored, too.
COPY src/Server/Properties/PublishProfiles/ src/Server/Properties/PublishProfiles/
RUN dotnet restore src/Server -p:PublishProfile=folder
COPY src/ src/
RUN dotnet publish src/Server -c Release --no-restore -p:PublishProfile=folder -o /app

FROM ${RUNTIME_IMAGE} AS final
# The user `app` (1654) is part of the runtime images.
RUN mkdir /data && chown app:app /data
COPY --from=build /app /app
WORKDIR /app
USER app
VOLUME /data
EXPOSE 8080
ENV RAVEN_ServerUrl=http://0.0.0.0:8080 RAVEN_DataDir=/data DOTNET_GCConserveMemory=7
# bash opens the socket itself: no tool is added to the image for it.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /build/version HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r line <&3 && [[ $line == 'HTTP/1.1 200'* ]]"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["dotnet", "Raven.Server.dll"]
