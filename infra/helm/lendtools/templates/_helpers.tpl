{{- define "lendtools.name" -}}
{{- printf "%s-%s" .root.Release.Name .name | trunc 63 | trimSuffix "-" -}}
{{- end }}

{{- define "lendtools.selector" -}}
app.kubernetes.io/name: lendtools
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "lendtools.labels" -}}
{{ include "lendtools.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{- define "lendtools.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}{{ .repository }}@{{ .digest }}{{- else -}}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{- end -}}
{{- end -}}
{{- end }}

{{- define "lendtools.url" -}}
http://{{ include "lendtools.name" . }}:3000
{{- end }}

{{/* What every pod of the project's image runs with: no root, no writable files except /tmp, no privileges, no API token. */}}
{{- define "lendtools.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {}
{{- end }}

{{- define "lendtools.container" -}}
image: {{ include "lendtools.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{/* The services that a process calls, in the order of their variables. Every service fetches the signing keys from accounts. */}}
{{- define "lendtools.calls" -}}
gateway: [accounts, catalog, bookings, payments, messaging, notifications]
accounts: [catalog, bookings, payments, messaging, notifications]
catalog: [accounts]
bookings: [accounts, payments]
payments: [accounts, bookings]
messaging: [accounts, catalog]
notifications: [accounts, payments]
{{- end }}

{{/* The settings of `values.settings` that a process reads. */}}
{{- define "lendtools.settings" -}}
every: [LOG_LEVEL, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG]
gateway: [RATE_LIMIT_FACTOR, MAP_TILES_URL, MAP_ATTRIBUTION, MAP_ATTRIBUTION_URL, TRUSTED_PROXIES, CONNECTIONS_PER_NETWORK]
accounts: [RATE_LIMIT_FACTOR, ADMIN_EMAIL, REQUIRE_ADMIN_MFA]
catalog: [RATE_LIMIT_FACTOR, REQUIRE_VERIFIED_EMAIL]
bookings: [RATE_LIMIT_FACTOR, REQUIRE_VERIFIED_EMAIL, MASK_CONTACTS, COMPLETE_AFTER_HOURS, COMMISSION_PERCENT, COMMISSION_FIXED_CENTS]
payments: [RATE_LIMIT_FACTOR, RECEIPT_TAX_NAME, RECEIPT_TAX_PERCENT]
messaging: [RATE_LIMIT_FACTOR, MASK_CONTACTS]
notifications: [MAIL_FROM, MESSAGE_MAIL_DELAY_SECONDS]
{{- end }}

{{- define "lendtools.env" -}}
{{- $root := .root }}
{{- $name := .name }}
- { name: PORT, value: "3000" }
- { name: PUBLIC_URL, value: {{ $root.Values.publicUrl | quote }} }
{{- range index (include "lendtools.calls" . | fromYaml) $name }}
- { name: {{ upper . }}_URL, value: {{ include "lendtools.url" (dict "root" $root "name" .) | quote }} }
{{- end }}
{{- $settings := include "lendtools.settings" . | fromYaml }}
{{- range $setting := concat $settings.every (index $settings $name) }}
{{- with index $root.Values.settings $setting }}
- { name: {{ $setting }}, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- if eq $name "gateway" }}
- { name: METRICS_PORT, value: "9464" }
- { name: WEB_DIST, value: /app/web/dist }
{{- else }}
- { name: AMQP_DECLARES, value: own }
{{- end }}
{{- if and $root.Values.stripeSandbox.enabled (has $name (list "gateway" "payments")) }}
- { name: STRIPE_API_BASE, value: {{ $root.Values.stripeSandbox.url | quote }} }
{{- end }}
{{- end }}
